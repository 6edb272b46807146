import GRDB
import Skiathos

/// GRDB as its guides advise for speed: records with `init(row:)` and `encode(to:)` written by
/// hand, and the query interface.
final class GRDBContestant: Contestant {
    static let name = "GRDB"
    private let pool: DatabasePool

    init(path: String) throws {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { try $0.execute(sql: CacheSize.pragma) }
        pool = try DatabasePool(path: path, configuration: configuration)
    }

    func insert(_ users: [User]) throws {
        try pool.write { db in
            for user in users { try Record(user: user).insert(db) }
        }
    }

    func fetchAll() throws -> [User] {
        try pool.read { try Record.order(GRDB.Column("id")).fetchAll($0) }.map(\.user)
    }

    func fetchOneByOne(_ ids: [Int64]) throws -> Int64 {
        var sum: Int64 = 0
        for id in ids {
            let record = try pool.read { try Record.fetchOne($0, key: id) }
            sum = sum &+ (record?.user.checksum ?? 0)
        }
        return sum
    }

    func increaseAges() throws {
        try pool.write { db in
            for var record in try Record.fetchAll(db) {
                try record.updateChanges(db) { $0.user.age += 1 }
            }
        }
    }

    func promise(_ promise: Promise) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: promise.pragma) }
    }

    func insertAlone(_ user: User) throws {
        try pool.write { try Record(user: user).insert($0) }
    }

    func insertAloneInTask(_ user: User) async throws {
        try await pool.write { try Record(user: user).insert($0) }
    }

    func settle() throws {}

    func deleteAll() throws {
        _ = try pool.write { try Record.deleteAll($0) }
    }

    func close() throws { try pool.close() }
}

private struct Record: FetchableRecord, PersistableRecord {
    static let databaseTableName = "user"
    var user: User

    init(user: User) { self.user = user }

    init(row: Row) {
        user = User(
            id: User.ID(rawValue: row[0]), firstname: row[1], lastname: row[2], email: row[3],
            age: row[4], score: row[5], created: row[6], isActive: row[7],
            company: (row[8] as Int64?).map { Company.ID(rawValue: $0) })
    }

    func encode(to container: inout PersistenceContainer) {
        container["id"] = user.id.rawValue
        container["firstname"] = user.firstname
        container["lastname"] = user.lastname
        container["email"] = user.email
        container["age"] = user.age
        container["score"] = user.score
        container["created"] = user.created
        container["isActive"] = user.isActive
        container["company"] = user.company?.rawValue
    }
}
