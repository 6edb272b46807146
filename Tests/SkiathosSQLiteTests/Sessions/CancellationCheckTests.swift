import GRDB
import GRDBSQLite
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// A statement ends with the task on whose thread it runs if its session checks for cancellation, and never
/// otherwise.
@Suite(.generousTimeLimit) struct CancellationCheckTests {
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
        checkingCancellation: Bool, _ body: @escaping @Sendable (SQLiteSession) throws -> R
    ) async throws -> R {
        let store = store
        return try await Task {
            try store.readers[0].read { session in
                let session = try #require(session as? SQLiteSession)
                // SQLite replaces no function while a statement is open.
                session.endOpenStatements()
                session.natively { database in
                    database.add(
                        function: DatabaseFunction("cancel", argumentCount: 0) { _ in
                            withUnsafeCurrentTask { $0?.cancel() }
                            return 1
                        })
                }
                session.checksCancellation = checkingCancellation
                defer { session.checksCancellation = false }
                return try body(session)
            }
        }.value
    }

    private static func number(_ sql: String, in session: SQLiteSession) throws -> Int? {
        var number: Int?
        try session.readNatively { object in
            number = try Int.fetchOne(#require(object as? Database), sql: sql)
        }
        return number
    }

    /// The code with which a statement fails that would run for ever.
    private func endOfEndless() async throws -> StoreError.Code {
        try await inTask(checkingCancellation: true) { session in
            let error = #expect(throws: StoreError.self) {
                try Self.number(Self.counting(), in: session)
            }
            return try #require(error).code
        }
    }

    @Test func `a statement without rows ends when its task is cancelled`() async throws {
        #expect(try await endOfEndless() == .interrupted)
        // And again, with the same connection.
        #expect(try await endOfEndless() == .interrupted)
    }

    @Test func `each cancelled statement of raw SQL is reported as interrupted`() async throws {
        // The statements about savepoints take four instructions each, and SQLite goes on counting: every
        // 125th of them meets the check.
        for _ in 1...260 { #expect(try await endOfEndless() == .interrupted) }
    }

    @Test
    func `a statement whose session does not check for cancellation does not end with its task`()
        async throws
    {
        // SQLite has checked before.
        _ = try await endOfEndless()
        let count = try await inTask(checkingCancellation: false) { session in
            try Self.number(Self.counting(upTo: 100_000), in: session)
        }
        #expect(count == 100_000)
    }

    @Test
    func `a statement checks for cancellation after native code has replaced the progress handler`()
        async throws
    {
        let code = try await inTask(checkingCancellation: true) { session in
            try session.readNatively { object in
                let database = try #require(object as? Database)
                sqlite3_progress_handler(database.sqliteConnection, 0, nil, nil)
            }
            let error = #expect(throws: StoreError.self) {
                try Self.number(Self.counting(), in: session)
            }
            return try #require(error).code
        }
        #expect(code == .interrupted)
    }

    @Test
    func
        `SQLite checks only during a read that checks for cancellation, and not for a row by its ID`()
        async throws
    {
        try store.insert(Company.self, [.integer(1), .text("a")])
        try await inTask(checkingCancellation: true) { session throws in
            for _ in 1...3 {
                var isFound = false
                try session.fetch(entity: 0, id: .integer(1)) { isFound = $0.next() }
                #expect(isFound)
                #expect(!session.hasCancellationCheck)
            }
            #expect(try session.count(FetchRequest(entity: 0)) == 1)
            #expect(session.hasCancellationCheck)
        }
        try await inTask(checkingCancellation: false) { session throws in
            #expect(!session.hasCancellationCheck)
            #expect(try session.count(FetchRequest(entity: 0)) == 1)
            #expect(!session.hasCancellationCheck)
        }
    }

    @Test func `no row follows the cancellation of a task that is checked`() async throws {
        let rows: [[StoreValue]] = (1...100).map { [.integer($0), .text("\($0)")] }
        try store.transaction { try $0.apply([.insert(entity: 0, Rows(rows))]) }
        let count = try await inTask(checkingCancellation: true) { session in
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
