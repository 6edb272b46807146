/// A connection that reads, with the statements for it.
final class RawReader {
    static let columns =
        "u.id, u.firstname, u.lastname, u.email, u.age, u.score, u.created, u.isActive, u.company"

    // All guarded by the holder of the connection.
    private let connection: RawConnection
    private let begin: RawStatement
    private let commit: RawStatement
    let all: RawStatement
    let byID: RawStatement
    let byCompany: RawStatement
    let withEmail: RawStatement
    let byEmail: RawStatement
    let byLastname: RawStatement
    let adultCount: RawStatement
    let companyCount: RawStatement
    let joined: RawStatement
    let companyName: RawStatement
    let firstUsers: RawStatement

    init(path: String, cacheSize: Int?) throws {
        connection = try RawConnection(path: path, cacheSize: cacheSize)
        let select = "SELECT \(Self.columns) FROM user AS u"
        begin = try connection.prepare("BEGIN")
        commit = try connection.prepare("COMMIT")
        all = try connection.prepare("\(select) ORDER BY id")
        byID = try connection.prepare("\(select) WHERE id = ?")
        byCompany = try connection.prepare("\(select) WHERE company = ?")
        withEmail = try connection.prepare("\(select) WHERE email = ?")
        byEmail = try connection.prepare("\(select) ORDER BY email LIMIT ?")
        byLastname = try connection.prepare("\(select) ORDER BY lastname, id LIMIT ?")
        adultCount = try connection.prepare("SELECT count(*) FROM user WHERE age >= 18")
        companyCount = try connection.prepare("SELECT count(*) FROM user WHERE company = ?")
        joined = try connection.prepare(
            "SELECT \(Self.columns), c.name FROM user AS u LEFT JOIN company AS c ON c.id = u.company ORDER BY u.id LIMIT ?"
        )
        companyName = try connection.prepare("SELECT name FROM company WHERE id = ?")
        firstUsers = try connection.prepare("\(select) ORDER BY id LIMIT ?")
    }

    /// Runs a closure in a transaction of its own.
    func transaction<R>(_ body: () throws -> R) throws -> R {
        try begin.run()
        let result = try body()
        try commit.run()
        return result
    }

    /// The checksum of the user with an ID, in the transaction there is.
    func user(_ id: Int64) throws -> Int64 {
        byID.bind(1, id)
        let sum = try byID.next() ? byID.user().checksum : 0
        byID.reset()
        return sum
    }

    /// The only number of the only row.
    func number(_ statement: RawStatement) throws -> Int64 {
        let number = try statement.next() ? statement.integer(0) : 0
        statement.reset()
        return number
    }

    func close() { connection.close() }
}
