import GRDB
import GRDBSQLite
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosSQLite

/// A statement ends with the task on whose thread it runs if its session follows that task, and never
/// otherwise.
@Suite(.generousTimeLimit) struct FollowedTaskTests {
    /// Cancels the task that runs it, and then counts up to a number, or without an end.
    private static func counting(upTo limit: Int? = nil) -> String {
        let condition = limit.map { #"WHERE "number" < \#($0)"# } ?? ""
        return """
            WITH RECURSIVE "numbers" ("number") AS (
                SELECT cancel() UNION ALL SELECT "number" + 1 FROM "numbers" \(condition))
            SELECT count(*) FROM "numbers"
            """
    }

    private let directory: TemporaryDirectory
    private let store: any PersistentStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try directory.open([TestEntities.company], StoreOptions(readerCount: 1))
    }

    /// Runs a closure with the only reader's connection in a task of its own, which SQL can cancel.
    private func inTask<R: Sendable>(
        following: Bool, _ body: @escaping @Sendable (SQLiteSession, Database) throws -> R
    ) async throws -> R {
        let store = store
        return try await Task {
            try store.readers[0].read { session in
                let session = try #require(session as? SQLiteSession)
                session.followsTask = following
                defer { session.followsTask = false }
                return try session.natively { database in
                    database.add(
                        function: DatabaseFunction("cancel", argumentCount: 0) { _ in
                            withUnsafeCurrentTask { $0?.cancel() }
                            return 1
                        })
                    return try body(session, database)
                }
            }
        }.value
    }

    /// The code with which a statement ends that would run for ever.
    private func endOfEndless() async throws -> ResultCode {
        try await inTask(following: true) { _, database in
            let error = #expect(throws: DatabaseError.self) {
                try Int.fetchOne(database, sql: Self.counting())
            }
            return try #require(error).resultCode
        }
    }

    @Test func `a statement without rows ends when its task is cancelled`() async throws {
        #expect(try await endOfEndless() == .SQLITE_INTERRUPT)
        // And again, with the same connection.
        #expect(try await endOfEndless() == .SQLITE_INTERRUPT)
    }

    @Test func `a statement does not end with a task that its session does not follow`()
        async throws
    {
        // SQLite asks from now on.
        _ = try await endOfEndless()
        let count = try await inTask(following: false) { _, database in
            try Int.fetchOne(database, sql: Self.counting(upTo: 100_000))
        }
        #expect(count == 100_000)
    }

    @Test func `a statement follows its task after native code has taken the progress handler`()
        async throws
    {
        _ = try await endOfEndless()
        try await inTask(following: false) { session, _ in
            try session.readNatively { database in
                let database = try #require(database as? Database)
                sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
            }
        }
        #expect(try await endOfEndless() == .SQLITE_INTERRUPT)
    }

    @Test func `no row follows after the cancellation of a followed task`() async throws {
        let rows: [[StoreValue]] = (1...100).map { [.integer($0), .text("\($0)")] }
        try store.transaction { try $0.apply([.insert(entity: 0, Rows(rows))]) }
        let count = try await inTask(following: true) { session, _ in
            var rows = 0
            let error = #expect(throws: StoreError.self) {
                try session.fetch(FetchRequest(entity: 0)) { cursor in
                    while cursor.next() {
                        rows += 1
                        if rows == 3 { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }
            }
            #expect(error?.code == .interrupted)
            return rows
        }
        #expect(count == 3)
    }
}
