import Foundation
import GRDB
import SkiathosLocks
import SkiathosStore
import Synchronization
import Testing

@testable import SkiathosSQLite

/// Opening, filling and comparing files of one generation or another.
struct MigrationHarness {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// Makes a copy of another file.
    init(_ bytes: Data) throws {
        directory = try TemporaryDirectory()
        try directory.write(bytes)
    }

    /// The file of a filled store of a generation.
    static func base(_ generation: Generation, people: Int = 12) throws -> Data {
        let harness = try MigrationHarness()
        try harness.open(.first)
        try harness.execute(Generation.rows(people: people))
        if generation != .first { try harness.open(generation) }
        return try harness.directory.bytes()
    }

    func opener(
        _ generation: Generation, isReadOnly: Bool = false,
        progress: (@Sendable (MigrationProgress) -> Void)? = nil
    ) throws -> StoreOpener {
        try opener(
            generation.entities,
            StoreOptions(
                isReadOnly: isReadOnly, migrations: generation.steps, migrationProgress: progress,
                declaredObjects: Generation.usersObjects))
    }

    func opener(
        _ entities: [EntitySchema], _ options: StoreOptions = StoreOptions()
    ) throws -> StoreOpener {
        StoreOpener(schema: try StoreSchema(entities), options: options, file: directory.file())
    }

    /// Opens the store, has it checked and closes it.
    func open(_ generation: Generation) throws { try open(try opener(generation)) }

    /// Opens the store and closes it.
    func touch(_ opener: StoreOpener) throws { try opener.open().close() }

    /// Opens the store, has it checked and closes it.
    func open(_ opener: StoreOpener) throws {
        let store = try opener.open()
        let problems = Result { try store.anyReader.read { try $0.integrityProblems() } }
        try store.close()
        #expect(try problems.get() == [])
    }

    /// Opens the store with entities of its own and steps.
    func open(_ entities: [EntitySchema], _ steps: [StoreMigration] = []) throws {
        try open(try opener(entities, StoreOptions(migrations: steps)))
    }

    func execute(_ statements: [String]) throws {
        try DatabaseQueue(path: directory.file()).write { database in
            for sql in statements { try database.execute(sql: sql) }
        }
    }

    func strings(_ sql: String) throws -> [String] {
        try DatabaseQueue(path: directory.file()).read { try String.fetchAll($0, sql: sql) }
    }

    /// Everything that the file holds, apart from times: the schema, every row, every word.
    func dump() throws -> [String] {
        try DatabaseQueue(path: directory.file()).write { database in
            let tables = try Row.fetchAll(
                database,
                sql: """
                    SELECT name, type FROM pragma_table_list
                    WHERE schema = 'main' AND type IN ('table', 'virtual', 'view') ORDER BY name
                    """)
            var lines = try String.fetchAll(
                database,
                sql: """
                    SELECT type || ' ' || name || ' ' || coalesce(sql, '') FROM sqlite_schema
                    WHERE name NOT LIKE '%_data' AND name NOT LIKE '%_idx' ORDER BY 1
                    """)
            for table in tables {
                let name: String = table["name"]
                if name.hasPrefix("skiathos_search_"), table["type"] == "virtual" {
                    let quoted = SQLText.quote(name)
                    try database.execute(
                        sql:
                            "INSERT INTO \(quoted)(\(quoted), rank) VALUES ('integrity-check', 1)")
                }
                if name.hasPrefix("sqlite_") { continue }
                let rows = try Row.fetchAll(
                    database, sql: "SELECT * FROM \(SQLText.quote(name))")
                lines += rows.map { row in
                    let values = row.filter { $0.0 != "applied" }.map { "\($0.0)=\($0.1)" }
                    return "\(name): \(values.joined(separator: ", "))"
                }.sorted()
            }
            return lines
        }
    }
}

/// Notes what is reported, from any thread.
final class ProgressLog: Sendable {
    private let list = Lock<[MigrationProgress]>([])

    func note(_ progress: MigrationProgress) { list.withLock { $0.append(progress) } }
    var all: [MigrationProgress] { list.withLock { $0 } }
}

/// Counts statements, and throws in the place of one of them.
final class StatementCounter: Sendable {
    struct Interruption: Error {}

    private let count = Lock(0)
    private let limit: Int

    init(interruptingAt limit: Int = .max) { self.limit = limit }

    var statements: Int { count.withLock { $0 } }

    func witness(_ sql: String) throws {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        if number == limit { throw Interruption() }
    }
}
