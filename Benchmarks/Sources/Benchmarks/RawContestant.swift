import GRDBSQLite
import Skiathos
import Synchronization

/// Prepared statements through the C functions of SQLite: the limit that the others are held to.
final class RawContestant: Contestant {
    static let name = "raw C"
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    private static let columns =
        "\"id\", \"firstname\", \"lastname\", \"email\", \"age\", \"score\", \"created\", \"isActive\", \"company\""

    private let turn = Mutex(())
    private let db: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(path: String) throws {
        var db: OpaquePointer?
        // One thread uses the connection, as with the others: a lock in each call would be a
        // handicap of a fifth and more.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &db, flags, nil) == SQLITE_OK, let db else {
            throw BenchmarkError(description: "sqlite3_open_v2 failed")
        }
        self.db = db
        try run("PRAGMA foreign_keys = ON")
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = NORMAL")
        try run(CacheSize.pragma)
    }

    func insert(_ users: [User]) throws {
        try transaction {
            let statement = try prepare(
                "INSERT INTO \"user\" (\(Self.columns)) VALUES (?,?,?,?,?,?,?,?,?)")
            for user in users {
                sqlite3_bind_int64(statement, 1, user.id.rawValue)
                bind(statement, 2, user.firstname)
                bind(statement, 3, user.lastname)
                bind(statement, 4, user.email)
                sqlite3_bind_int64(statement, 5, Int64(user.age))
                sqlite3_bind_double(statement, 6, user.score)
                sqlite3_bind_double(statement, 7, user.created)
                sqlite3_bind_int64(statement, 8, user.isActive ? 1 : 0)
                if let company = user.company {
                    sqlite3_bind_int64(statement, 9, company.rawValue)
                } else {
                    sqlite3_bind_null(statement, 9)
                }
                try finish(statement)
            }
        }
    }

    func fetchAll() throws -> [User] {
        let statement = try prepare("SELECT \(Self.columns) FROM \"user\" ORDER BY \"id\"")
        defer { sqlite3_reset(statement) }
        var users: [User] = []
        while sqlite3_step(statement) == SQLITE_ROW { users.append(Self.user(statement)) }
        return users
    }

    func fetchOneByOne(_ ids: [Int64]) throws -> Int64 {
        let statement = try prepare("SELECT \(Self.columns) FROM \"user\" WHERE \"id\" = ?")
        let begin = try prepare("BEGIN")
        let commit = try prepare("COMMIT")
        var sum: Int64 = 0
        for id in ids {
            try finish(begin)
            sqlite3_bind_int64(statement, 1, id)
            if sqlite3_step(statement) == SQLITE_ROW { sum = sum &+ Self.user(statement).checksum }
            sqlite3_reset(statement)
            try finish(commit)
        }
        return sum
    }

    func increaseAges() throws {
        try transaction {
            var users: [User] = []
            let select = try prepare("SELECT \(Self.columns) FROM \"user\"")
            while sqlite3_step(select) == SQLITE_ROW { users.append(Self.user(select)) }
            sqlite3_reset(select)
            let update = try prepare("UPDATE \"user\" SET \"age\" = ? WHERE \"id\" = ?")
            for index in users.indices {
                users[index].age += 1
                sqlite3_bind_int64(update, 1, Int64(users[index].age))
                sqlite3_bind_int64(update, 2, users[index].id.rawValue)
                try finish(update)
            }
        }
    }

    func promise(_ promise: Promise) throws { try run(promise.pragma) }

    func insertAlone(_ user: User) throws {
        // Threads take turns, as one connection demands.
        try turn.withLock { _ in try insert([user]) }
    }

    func insertAloneInTask(_ user: User) async throws { try insertAlone(user) }

    func settle() throws {}

    func deleteAll() throws { try run("DELETE FROM \"user\"") }

    func close() throws {
        for statement in statements.values { sqlite3_finalize(statement) }
        statements = [:]
        sqlite3_close_v2(db)
    }

    private static func user(_ statement: OpaquePointer) -> User {
        User(
            id: User.ID(rawValue: sqlite3_column_int64(statement, 0)),
            firstname: text(statement, 1), lastname: text(statement, 2), email: text(statement, 3),
            age: Int(sqlite3_column_int64(statement, 4)),
            score: sqlite3_column_double(statement, 5),
            created: sqlite3_column_double(statement, 6),
            isActive: sqlite3_column_int64(statement, 7) != 0,
            company: sqlite3_column_type(statement, 8) == SQLITE_NULL
                ? nil : Company.ID(rawValue: sqlite3_column_int64(statement, 8)))
    }

    private static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
        let start = sqlite3_column_text(statement, column)
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    private func bind(_ statement: OpaquePointer, _ index: Int32, _ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            _ = utf8.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), Self.transient)
            }
        }
    }

    private func transaction(_ body: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        try body()
        try run("COMMIT")
    }

    private func run(_ sql: String) throws {
        guard sqlite3_exec(db, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
    }

    private func prepare(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        guard
            sqlite3_prepare_v3(db, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
                == SQLITE_OK, let statement
        else { throw failure() }
        statements[sql] = statement
        return statement
    }

    private func finish(_ statement: OpaquePointer) throws {
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure() }
        sqlite3_reset(statement)
    }

    private func failure() -> BenchmarkError {
        BenchmarkError(description: String(cString: sqlite3_errmsg(db)))
    }
}
