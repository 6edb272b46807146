import Foundation
import Skiathos
package import SkiathosStore
import SkiathosTesting

/// The files of a store, as a program could find them.
package struct HostileFiles: Sendable {
    /// What each file holds, by what its name ends with: nothing for the main file, `-wal`, `-shm`.
    var contents: [String: Data]
    /// How large its pages are.
    package let pageSize: Int

    /// Puts the files into a directory.
    func write(to path: String) throws {
        for (suffix, bytes) in contents { try bytes.write(to: URL(fileURLWithPath: path + suffix)) }
    }
}

/// Stores that are made on the fly, closed or as a killed writer leaves them.
package enum HostileCorpus {
    private enum Shelf {}
    private enum Volume {}
    private enum Label {}

    private struct ShelfReference: ColumnValue, Equatable {
        var id: Int64
        static var storage: StorageClass { .integer }
        static var referencedType: Any.Type? { Shelf.self }
        init(row: RowReader, column: Int) throws { id = row.integer(at: column) }
        func bind(to parameters: ParameterWriter, at position: Int) throws {
            try parameters.bind(id, at: position)
        }
    }

    /// Entities that among them have every storage class, both kinds of keys and searching.
    package static func schema() throws -> StoreSchema {
        try StoreSchema([
            EntitySchema(
                Shelf.self, table: "shelf", id: Coding.of(Int64.self),
                columns: [
                    ColumnSchema("name", Coding.of(String.self)),
                    ColumnSchema("room", Coding.of(Int.self)),
                    ColumnSchema("cover", Coding.of(Data?.self)),
                ], unique: [["name"]], indexed: ["room"]),
            EntitySchema(
                Volume.self, table: "volume", id: Coding.of(Int64.self),
                columns: [
                    ColumnSchema("title", Coding.of(String.self)),
                    ColumnSchema("bought", Coding.of(Date.self)),
                    ColumnSchema("shelf", Coding.of(ShelfReference.self), onDelete: .cascade),
                ], searchable: ["title"]),
            EntitySchema(
                Label.self, table: "label", id: Coding.of(String.self),
                columns: [ColumnSchema("weight", Coding.of(Double.self))]),
        ])
    }

    /// Makes the stores: each page size, closed and open.
    package static func make() throws -> [HostileFiles] {
        try [4096, 512, 1024, 65536].flatMap { pageSize in
            let directory = try TemporaryDirectory()
            let path = directory.file("store.sqlite")
            try emptyDatabase(pageSize).write(to: URL(fileURLWithPath: path))
            let store = try StoreSource.sqlite(path).open(try schema(), StoreOptions())
            try fill(store, from: 1)
            try store.writer.withSession { try $0.checkpoint() }
            try fill(store, from: 40)
            let open = try files(path, pageSize)
            try store.close()
            return [try files(path, pageSize), open]
        }
    }

    private static func files(_ path: String, _ pageSize: Int) throws -> HostileFiles {
        var contents: [String: Data] = [:]
        for suffix in ["", "-wal", "-shm"]
        where FileManager.default.fileExists(atPath: path + suffix) {
            // Not while SQLite's locks on the main file matter: the writer is this process alone.
            contents[suffix] = try Data(contentsOf: URL(fileURLWithPath: path + suffix))
        }
        return HostileFiles(contents: contents, pageSize: pageSize)
    }

    /// A database without tables and with pages of a size (sqlite.org/fileformat2.html, 1.3).
    private static func emptyDatabase(_ pageSize: Int) -> Data {
        var page = Data(count: pageSize)
        page.replaceSubrange(0..<16, with: Data("SQLite format 3\u{0}".utf8))
        func put(_ number: Int, _ count: Int, at offset: Int) {
            for byte in 0..<count {
                page[offset + byte] = UInt8(truncatingIfNeeded: number >> (8 * (count - 1 - byte)))
            }
        }
        // 65536 does not fit, and is written as 1.
        put(pageSize == 65536 ? 1 : pageSize, 2, at: 16)
        for (offset, value) in [(18, 1), (19, 1), (21, 64), (22, 32), (23, 32)] {
            put(value, 1, at: offset)
        }
        for (offset, value) in [(24, 1), (28, 1), (44, 4), (56, 1), (92, 1), (96, 3_040_001)] {
            put(value, 4, at: offset)
        }
        // The first page is also the leaf of the schema's table; here 65536 is written as 0.
        put(0x0D, 1, at: 100)
        put(pageSize & 0xFFFF, 2, at: 105)
        return page
    }

    /// Inserts rows, of which some need pages of their own.
    static func fill(_ store: any PersistentStore, from first: Int64, count: Int64 = 30) throws {
        try store.writer.withSession { session in
            try session.begin()
            do {
                let ids = first..<(first + count)
                try session.apply([
                    .insert(
                        entity: 0,
                        PlainRows(
                            ids.map { id in
                                let cover = [UInt8](repeating: 7, count: id % 9 == 0 ? 3000 : 9)
                                return [
                                    .integer(id), .text("shelf \(id)"), .integer(id % 7),
                                    .blob(cover),
                                ]
                            })),
                    .insert(
                        entity: 1,
                        PlainRows(
                            ids.map { id in
                                [
                                    .integer(id), .text("a volume of \(id) words"),
                                    .real(7e8 + Double(id)), .integer(id),
                                ]
                            })),
                    .insert(
                        entity: 2,
                        PlainRows(ids.map { [.text("label \($0)"), .real(Double($0) / 3)] })),
                ])
                try session.checkReferences()
                try session.commit()
            } catch {
                try session.rollback()
                throw error
            }
        }
    }
}

/// Rows as plain values.
struct PlainRows: RowSource {
    let rows: [[StoreValue]]

    init(_ rows: [[StoreValue]]) { self.rows = rows }

    func sendRows(to sink: inout RowSink) throws {
        for row in rows {
            for (position, value) in row.enumerated() {
                try value.bind(to: sink.parameters, at: position)
            }
            try sink.send()
        }
    }

    func sendIDs(to sink: inout RowSink) throws {
        for row in rows {
            try row[0].bind(to: sink.parameters, at: 0)
            try sink.send()
        }
    }
}
