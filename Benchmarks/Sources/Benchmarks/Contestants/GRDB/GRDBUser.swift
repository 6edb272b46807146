import GRDB

/// A record of a user; the contestants of GRDB differ in how theirs is written.
protocol GRDBUser: FetchableRecord, PersistableRecord, Sendable {
    /// A record of a company.
    associatedtype Company: FetchableRecord, TableRecord

    init(_ user: User)
    var user: User { get }
    var age: Int { get set }
    var companyID: Int64? { get }
    static func name(of company: Company) -> String

    /// The checksum of the first users, joined with the names of their companies.
    static func fetchJoined(_ limit: Int, _ db: Database) throws -> Int64
}

extension Sequence where Element: GRDBUser {
    /// The sum of the checksums.
    var checksum: Int64 { reduce(0) { $0 &+ $1.user.checksum } }
}
