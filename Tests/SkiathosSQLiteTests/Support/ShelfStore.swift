import Foundation
import SkiathosSQLite
import SkiathosStore
import Testing

enum Shelf {}
enum Volume {}
enum Weight {}

/// The store of the tests of foreign files: a unique column, an index, a reference, a key that is no
/// integer, and words that are searched.
enum ShelfStore {
    static let shelf = EntitySchema(
        Shelf.self, table: "shelf", id: Coding.of(Int64.self),
        columns: [
            ColumnSchema("name", Coding.of(String.self)), ColumnSchema("room", Coding.of(Int.self)),
        ], unique: [["name"]], indexed: ["room"])

    static let volume = EntitySchema(
        Volume.self, table: "volume", id: Coding.of(Int64.self),
        columns: [
            ColumnSchema("title", Coding.of(String.self)),
            ColumnSchema("shelf", Coding.of(Reference<Shelf>.self), onDelete: .cascade),
        ], searchable: ["title"])

    static let mark = EntitySchema(
        Weight.self, table: "mark", id: Coding.of(String.self),
        columns: [ColumnSchema("weight", Coding.of(Double.self))])

    static let all = [shelf, volume, mark]

    static let shelves: [[StoreValue]] = [
        [1, "Éa 1", 4], [2, "Éÿ 1", 5], [3, "Éÿ 2", 5], [4, "z", 6], [5, "Z", 6],
    ]
    static let volumes: [[StoreValue]] = [
        [1, "Conic sections", 1], [2, "On the sphere", 2], [3, "The sand reckoner", 2],
    ]
    static let marks: [[StoreValue]] = [["a", 1.5], ["b", 2.5]]

    /// Makes a filled and closed store.
    static func make(at path: String) throws {
        let store = try open(path)
        try fill(store)
        try store.close()
    }

    static func open(
        _ path: String, _ options: StoreOptions = StoreOptions()
    ) throws
        -> any PersistentStore
    {
        try StoreSource.sqlite(path).open(try StoreSchema(all), options)
    }

    static func fill(_ store: any PersistentStore) throws {
        try store.transaction { session in
            try session.apply([
                .insert(entity: 0, Rows(shelves)), .insert(entity: 1, Rows(volumes)),
                .insert(entity: 2, Rows(marks)),
            ])
        }
    }

    /// What is wrong with how a store of these rows answers; none if nothing is.
    static func faults(reading store: any PersistentStore) throws -> [String] {
        var faults: [String] = []
        func expect(_ condition: Bool, _ what: String) { if !condition { faults.append(what) } }
        expect(try store.all(Shelf.self) == shelves, "the rows of shelf differ")
        expect(try store.all(Volume.self) == volumes, "the rows of volume differ")
        expect(try store.all(Weight.self) == marks, "the rows of mark differ")
        let name = StoreExpression.column(1)
        let prefixed = try store.ids(
            Shelf.self, where: .match(name, .prefix, .value("Éÿ")),
            order: [.init(.column(0), descending: false)])
        expect(prefixed == [2, 3], "a prefix finds \(prefixed)")
        let equal = try store.ids(Shelf.self, where: .comparison(name, .equal, .value("Z")))
        expect(equal == [5], "a unique text finds \(equal)")
        let indexed = try store.ids(
            Shelf.self, where: .comparison(.column(2), .equal, .value(5)),
            order: [.init(.column(0), descending: false)])
        expect(indexed == [2, 3], "an indexed number finds \(indexed)")
        let words = try store.ids(Volume.self, where: .search(SearchTerms("sphere")))
        expect(words == [2], "searching finds \(words)")
        let problems = try store.anyReader.read { try $0.integrityProblems() }
        expect(problems == [], "\(problems)")
        return faults
    }

    /// What is wrong with how an open store is written to; it is left without rows.
    static func faults(
        writing store: any PersistentStore, _ directory: TemporaryDirectory
    ) throws
        -> [String]
    {
        var faults: [String] = []
        func expect(_ condition: Bool, _ what: String) { if !condition { faults.append(what) } }
        let copy = directory.file("backup.sqlite")
        let backup = try store.beginBackup(to: copy, overwriting: true)
        var isComplete = false
        while !isComplete {
            let progress = try backup.step()
            isComplete = progress.completed == progress.total
        }
        try backup.finish()
        let reading = try open(copy, StoreOptions(isReadOnly: true))
        faults += try ShelfStore.faults(reading: reading).map { "The backup: \($0)" }
        try reading.close()

        let twin = Result { try store.insert(Shelf.self, [6, "Z", 9]) }
        expect((try? twin.get()) == nil, "a second row with a unique text is taken")
        try store.insert(Shelf.self, [7, "é", 9], [8, "Z ", 9])
        try store.insert(Volume.self, [9, "Spheres of fire", 7])
        let count = try store.transaction { session in
            try session.delete(
                FetchRequest(entity: 0, predicate: .comparison(.column(2), .equal, .value(9))))
        }
        expect(count == 2, "\(count) rows are deleted")
        expect(try store.all(Volume.self) == volumes, "a delete rule is not kept")
        faults += try ShelfStore.faults(reading: store)
        try store.transaction { try $0.deleteEverything() }
        expect(try store.ids(Volume.self) == [], "rows remain")
        expect(
            try store.anyReader.read { try $0.integrityProblems() } == [],
            "it is damaged at the end")
        return faults
    }
}
