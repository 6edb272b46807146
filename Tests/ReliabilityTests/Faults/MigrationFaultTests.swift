import Foundation
import GRDB
import ReliabilityKit
import Skiathos
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

private enum Author {}
private enum Page {}

/// The ID of an author.
private struct AuthorID: ColumnValue {
    var id: Int64
    static var storage: StorageClass { .integer }
    static var referencedType: Any.Type? { Author.self }
    init(row: RowReader, column: Int) throws { id = row.integer(at: column) }
    func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind(id, at: position)
    }
    func isIdentical(to other: AuthorID) -> Bool { id == other.id }
}

/// Two versions of a schema: a table and a column are renamed, one column goes, another delete rule,
/// a unique key and searching come.
private enum Version {
    static let old = [
        author,
        EntitySchema(
            Page.self, table: "sheet", id: Coding.of(Int64.self),
            columns: [
                ColumnSchema("body", Coding.of(String.self)),
                ColumnSchema("note", Coding.of(String?.self)),
                ColumnSchema("author", Coding.of(AuthorID?.self)),
            ], searchable: ["body"]),
    ]

    static let new = [
        author,
        EntitySchema(
            Page.self, table: "page", id: Coding.of(Int64.self),
            columns: [
                ColumnSchema("text", Coding.of(String.self), renamedFrom: ["body"]),
                ColumnSchema("author", Coding.of(AuthorID?.self), onDelete: .cascade),
                ColumnSchema("number", Coding.of(Int?.self)),
            ], unique: [["number"]], searchable: ["text"], renamedFrom: ["sheet"]),
    ]

    static let steps = [
        StoreMigration("number pages", drops: ["page.note"]) { session in
            _ = try session.execute("UPDATE page SET number = id * 10", [])
        }
    ]

    private static let author = EntitySchema(
        Author.self, table: "author", id: Coding.of(Int64.self),
        columns: [ColumnSchema("name", Coding.of(String.self))])

    static func open(_ path: String, _ entities: [EntitySchema]) throws -> any PersistentStore {
        // So few pages in memory that the WAL is written long before the commit.
        let options = StoreOptions(
            readerCount: 1, cacheSize: 32 << 10, migrations: entities.count == 2 ? steps : [])
        return try StoreSource.sqlite(path).open(try StoreSchema(entities), options)
    }
}

@Suite struct MigrationFaultTests {
    private static let kinds: [Fault] = [
        Fault(.write, .wal, result: 13), Fault(.write, .wal, result: 778),
        Fault(.write, .wal, result: 778, isPartial: true), Fault(.write, .main, result: 778),
        Fault(.sync, .all, result: 1034), Fault(.read, .all, result: 266),
        Fault(.truncate, .all, result: 1546), Fault(.sharedMemory, .all, result: 5386),
        Fault(.open, .all, result: 14), Fault(.lock, .all, result: 3850),
    ]

    /// A filled store of the old version.
    private func base() throws -> Data {
        let directory = try TemporaryDirectory()
        let path = directory.file("base.sqlite")
        let options = StoreOptions()
        try StoreSource.sqlite(path).open(try StoreSchema(Version.old), options).close()
        let text = String(repeating: "words and words ", count: 25)
        try DatabaseQueue(path: path).write { database in
            try database.execute(
                sql: """
                    INSERT INTO author VALUES (1, 'a'), (2, 'b');
                    WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 150)
                    INSERT INTO sheet SELECT i, i || ' \(text)', 'n' || i, 1 + i % 2 FROM n;
                    """)
        }
        return try Data(contentsOf: URL(fileURLWithPath: path))
    }

    /// Every row of the tables of entities, and the schema.
    private func contents(_ path: String) throws -> [String] {
        try DatabaseQueue(path: path).read { database in
            var lines = try String.fetchAll(
                database,
                sql: """
                    SELECT coalesce(sql, name) FROM sqlite_schema
                    WHERE name NOT LIKE '%\\_data' ESCAPE '\\' ORDER BY 1
                    """)
            let tables = lines.contains { $0.contains("CREATE TABLE \"page\"") } ? "page" : "sheet"
            for table in [tables, "author"] {
                lines += try Row.fetchAll(database, sql: "SELECT * FROM \(table) ORDER BY id")
                    .map { "\($0)" }
            }
            return lines
        }
    }

    /// Migrates while something fails; returns how many such operations there were.
    private func run(
        _ fault: Fault, _ base: Data, old: [String], new: [String]
    ) throws -> (operations: Int, hasFailed: Bool, isOld: Bool) {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        volume.record(false)
        try base.write(to: URL(fileURLWithPath: volume.path))
        volume.fail(fault)
        do {
            try Version.open(volume.path, Version.new).close()
        } catch let error as StoreError {
            let expected: Set<StoreError.Code> = [
                .diskFull, .inputOutput, .notPermitted, .busy, .damaged, .backend, .interference,
                .migrationFailed,
            ]
            #expect(expected.contains(error.code), "\(fault): \(error)")
        }
        let (operations, failures) = (volume.count(fault.operation, fault.files), volume.failures)
        volume.fail(nil)
        let left = try contents(volume.path)
        #expect(left == old || left == new, "\(fault) has left neither the old nor the new store.")
        let store = try Version.open(volume.path, Version.new)
        let problems = try store.writer.read { try $0.integrityProblems() }
        #expect(problems == [], "\(fault)")
        try store.close()
        let healed = try contents(volume.path)
        #expect(healed == new, "\(fault)")
        return (operations, failures > 0, left == old)
    }

    @Test(arguments: kinds.indices)
    func `a disk that fails during a migration leaves the old store or the new one`(
        number: Int
    ) throws {
        let base = try base()
        let whole = try TemporaryDirectory()
        let path = whole.file("whole.sqlite")
        try base.write(to: URL(fileURLWithPath: path))
        let old = try contents(path)
        try Version.open(path, Version.new).close()
        let new = try contents(path)
        var fault = Self.kinds[number]
        fault.after = .max
        let count = try run(fault, base, old: old, new: new).operations
        var faults = (all: 0, old: 0)
        for position in stride(from: 0, to: count, by: max(1, count / 4)) {
            for isForEver in [false, true] {
                fault.after = position
                fault.isForEver = isForEver
                let result = try run(fault, base, old: old, new: new)
                if result.hasFailed { faults.all += 1 }
                if result.isOld { faults.old += 1 }
            }
        }
        print("\(Self.kinds[number].operation): \(faults.all) faults, \(faults.old) old stores")
        #expect(count == 0 || faults.all > 0)
    }

    /// The schema of an image and its rows, after looking for damage.
    private func contents(_ image: DiskImage) -> String {
        let schema = image.query(
            """
            PRAGMA integrity_check;
            SELECT coalesce(sql, name) FROM sqlite_schema
            WHERE name NOT LIKE '%\\_data' ESCAPE '\\' ORDER BY 1;
            """)
        let isNew = schema.text.contains("CREATE TABLE \"page\"")
        let rows = image.query(
            isNew
                ? "SELECT concat FROM (SELECT id, id || ' ' || text || ' ' || author || ' ' || number AS concat FROM page) ORDER BY id;"
                : "SELECT id || ' ' || body || ' ' || note || ' ' || author FROM sheet ORDER BY id;"
        )
        return "\(schema.code) \(schema.text) \(rows.code) \(rows.text)"
    }

    @Test(.seeded)
    func `a loss of power at any moment of a migration leaves the old store or the new one`()
        throws
    {
        let directory = try TemporaryDirectory()
        try base().write(to: URL(fileURLWithPath: directory.file(Volume.storeName)))
        let volume = try Volume(directory.path)
        let birth = volume.length
        let store = try Version.open(volume.path, Version.new)
        let opened = volume.length
        try store.close()
        let end = volume.length
        let disk = Disk(volume)
        disk.advance(to: birth)
        let old = contents(disk.imageAfterKill)
        let last = Disk(volume)
        last.advance(to: end)
        let new = contents(last.imageAfterPowerCut)
        #expect(old.hasPrefix("0 ok\n") && new.hasPrefix("0 ok\n") && old != new)
        var random = SeededNumbers(seed: Seed.current)
        var counts = (old: 0, new: 0)
        for moment in birth...end {
            disk.advance(to: moment)
            let chosen = (0..<Load.imagesPerMoment).map { _ in disk.image(seed: random.next()) }
            for image in [disk.imageAfterKill, disk.imageAfterPowerCut] + chosen {
                let found = contents(image)
                let isRight = found == new || found == old && moment < end
                #expect(isRight, "event \(moment) of \(end): \(found.prefix(200))")
                if found == new { counts.new += 1 } else { counts.old += 1 }
            }
        }
        print("\(birth) to \(opened) to \(end): \(counts.old) old stores, \(counts.new) new ones")
        #expect(counts.old >= 100 && counts.new >= 10)
    }
}
