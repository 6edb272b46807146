import GRDB
import Skiathos

/// As GRDB's guides advise for speed: `init(row:)` by position and `encode(to:)` written by hand.
struct FastUser: GRDBUser {
    static let databaseTableName = "user"
    private static let company = belongsTo(FastCompany.self, using: ForeignKey(["company"]))

    var user: User

    init(_ user: User) { self.user = user }

    init(row: Row) {
        user = User(
            id: User.ID(rawValue: row[0]), firstname: row[1], lastname: row[2], email: row[3],
            age: row[4], score: row[5], created: row[6], isActive: row[7],
            company: (row[8] as Int64?).map { Skiathos.EntityID(rawValue: $0) })
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

    var age: Int {
        get { user.age }
        set { user.age = newValue }
    }

    var companyID: Int64? { user.company?.rawValue }

    static func name(of company: FastCompany) -> String { company.name }

    static func fetchJoined(_ limit: Int, _ db: Database) throws -> Int64 {
        // A column more in each row: making a record of the company as well costs more.
        try order(GRDB.Column("id")).limit(limit)
            .annotated(withOptional: company.select(GRDB.Column("name").forKey("companyName")))
            .asRequest(of: FastPair.self).fetchAll(db)
            .reduce(0) { $0 &+ $1.user.user.checksum &+ Int64($1.company?.utf8.count ?? 0) }
    }
}

struct FastCompany: FetchableRecord, TableRecord {
    static let databaseTableName = "company"

    let name: String

    init(row: Row) { name = row[1] }
}

private struct FastPair: FetchableRecord {
    let user: FastUser
    let company: String?

    init(row: Row) {
        user = FastUser(row: row)
        company = row[9]
    }
}
