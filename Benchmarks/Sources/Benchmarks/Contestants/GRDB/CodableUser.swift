import GRDB
import Skiathos

/// As GRDB's guides begin: a `Codable` record, nothing by hand.
struct CodableUser: GRDBUser, Codable {
    static let databaseTableName = "user"
    private static let companyReference = belongsTo(
        CodableCompany.self, key: "companyRecord", using: ForeignKey(["company"]))

    var id: Int64
    var firstname: String
    var lastname: String
    var email: String
    var age: Int
    var score: Double
    var created: Double
    var isActive: Bool
    var company: Int64?

    init(_ user: User) {
        id = user.id.rawValue
        firstname = user.firstname
        lastname = user.lastname
        email = user.email
        age = user.age
        score = user.score
        created = user.created
        isActive = user.isActive
        company = user.company?.rawValue
    }

    var user: User {
        User(
            id: User.ID(rawValue: id), firstname: firstname, lastname: lastname, email: email,
            age: age, score: score, created: created, isActive: isActive,
            company: company.map { Skiathos.EntityID(rawValue: $0) })
    }

    var companyID: Int64? { company }

    static func name(of company: CodableCompany) -> String { company.name }

    static func fetchJoined(_ limit: Int, _ db: Database) throws -> Int64 {
        try order(GRDB.Column("id")).limit(limit).including(optional: companyReference)
            .asRequest(of: CodablePair.self).fetchAll(db)
            .reduce(0) {
                $0 &+ $1.user.user.checksum &+ Int64($1.companyRecord?.name.utf8.count ?? 0)
            }
    }
}

struct CodableCompany: FetchableRecord, TableRecord, Codable {
    static let databaseTableName = "company"

    let id: Int64
    let name: String
}

private struct CodablePair: FetchableRecord, Decodable {
    let user: CodableUser
    let companyRecord: CodableCompany?
}
