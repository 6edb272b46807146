import GRDBSQLite
import Skiathos

/// A prepared statement.
struct RawStatement {
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    let pointer: OpaquePointer

    /// Runs a statement without rows to its end.
    func run() throws {
        guard sqlite3_step(pointer) == SQLITE_DONE else { throw failure() }
        sqlite3_reset(pointer)
    }

    /// Goes to the next row; false and ready to run again at the end.
    func next() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(pointer)
            return false
        default: throw failure()
        }
    }

    func reset() { sqlite3_reset(pointer) }

    func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(pointer, index, value) }

    func bind(_ index: Int32, _ value: Double) { sqlite3_bind_double(pointer, index, value) }

    func bind(_ index: Int32, _ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            _ = utf8.withMemoryRebound(to: CChar.self) {
                sqlite3_bind_text(
                    pointer, index, $0.baseAddress, Int32($0.count), Self.transient)
            }
        }
    }

    func bindNull(_ index: Int32) { sqlite3_bind_null(pointer, index) }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

    func text(_ column: Int32) -> String {
        let start = sqlite3_column_text(pointer, column)
        let count = Int(sqlite3_column_bytes(pointer, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The user of the present row, whose columns are the first.
    func user() -> User {
        User(
            id: User.ID(rawValue: integer(0)),
            firstname: text(1), lastname: text(2), email: text(3), age: Int(integer(4)),
            score: sqlite3_column_double(pointer, 5), created: sqlite3_column_double(pointer, 6),
            isActive: integer(7) != 0,
            company: sqlite3_column_type(pointer, 8) == SQLITE_NULL
                ? nil : Company.ID(rawValue: integer(8)))
    }

    /// The users of all rows.
    func users() throws -> [User] {
        var users: [User] = []
        while try next() { users.append(user()) }
        return users
    }

    func bind(_ user: User) {
        bind(1, user.id.rawValue)
        bind(2, user.firstname)
        bind(3, user.lastname)
        bind(4, user.email)
        bind(5, Int64(user.age))
        bind(6, user.score)
        bind(7, user.created)
        bind(8, Int64(user.isActive ? 1 : 0))
        if let company = user.company { bind(9, company.rawValue) } else { bindNull(9) }
    }

    private func failure() -> BenchmarkError {
        BenchmarkError(String(cString: sqlite3_errmsg(sqlite3_db_handle(pointer))))
    }
}
