import Skiathos

/// The connection that writes, with the statements for it.
final class RawWriter {
    // All guarded by the holder of the connection.
    private let connection: RawConnection
    private let begin: RawStatement
    private let commit: RawStatement
    let insert: RawStatement
    let all: RawStatement
    let byID: RawStatement
    let first: RawStatement
    let setAge: RawStatement
    let deleteOne: RawStatement
    let count: RawStatement

    init(path: String, cacheSize: Int?) throws {
        connection = try RawConnection(path: path, cacheSize: cacheSize)
        begin = try connection.prepare("BEGIN IMMEDIATE")
        commit = try connection.prepare("COMMIT")
        insert = try connection.prepare(
            "INSERT INTO user (id, firstname, lastname, email, age, score, created, isActive, company) VALUES (?,?,?,?,?,?,?,?,?)"
        )
        all = try connection.prepare("SELECT \(RawReader.columns) FROM user AS u")
        byID = try connection.prepare("SELECT \(RawReader.columns) FROM user AS u WHERE id = ?")
        first = try connection.prepare(
            "SELECT \(RawReader.columns) FROM user AS u ORDER BY id LIMIT ?")
        setAge = try connection.prepare("UPDATE user SET age = ? WHERE id = ?")
        deleteOne = try connection.prepare("DELETE FROM user WHERE id = ?")
        count = try connection.prepare("SELECT count(*) FROM user")
    }

    func transaction<R>(_ body: () throws -> R) throws -> R {
        try begin.run()
        let result = try body()
        try commit.run()
        return result
    }

    /// Makes each of some users a year older.
    func increaseAges(_ users: [User]) throws {
        for user in users {
            setAge.bind(1, Int64(user.age + 1))
            setAge.bind(2, user.id.rawValue)
            try setAge.run()
        }
    }

    func insert(_ user: User) throws {
        insert.bind(user)
        try insert.run()
    }

    func run(_ sql: String) throws { try connection.run(sql) }

    func close() { connection.close() }
}
