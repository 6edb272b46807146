import Skiathos

final class SkiathosContestant: Contestant {
    static let name = "Skiathos"
    private let dal: DataAccessLayer
    // Set between the timed parts, when no other thread is at work.
    private var level = Acknowledgement.committed

    init(path: String) throws {
        dal = try DataAccessLayer(.sqlite(path), entities: User.self, Company.self)
    }

    func insert(_ users: [User]) throws {
        try dal.write { context in
            for user in users { try User.insert(user, in: context) }
        }
    }

    func fetchAll() throws -> [User] {
        try dal.read { try User.all(orderedBy: { [$0.id.ascending] }, in: $0) }
    }

    func fetchOneByOne(_ ids: [Int64]) throws -> Int64 {
        var sum: Int64 = 0
        for id in ids {
            let user: User? = try dal.read { try User.find(User.ID(rawValue: id), in: $0) }
            sum = sum &+ (user?.checksum ?? 0)
        }
        return sum
    }

    func increaseAges() throws {
        try dal.write { context in
            for user in try User.all(in: context) { user.age += 1 }
        }
    }

    func promise(_ promise: Promise) throws {
        level =
            switch promise {
            case .visible: .merged
            case .committed: .committed
            case .durable: .durable
            }
    }

    func insertAlone(_ user: User) throws {
        try dal.write(acknowledging: level) { context in _ = try User.insert(user, in: context) }
    }

    func insertAloneInTask(_ user: User) async throws {
        try await dal.write(acknowledging: level) { context in
            _ = try User.insert(user, in: context)
        }
    }

    func settle() throws { try dal.flush(to: .committed) }

    func deleteAll() throws {
        try dal.write { _ = try User.deleteAll(in: $0) }
    }

    func close() throws { try dal.close() }
}
