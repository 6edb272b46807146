import Skiathos

extension SkiathosContestant {
    func fetchWithCompanies(_ limit: Int) throws -> Int64 {
        let query = User.order { $0.id.ascending }.limit(limit).prefetching(\.company)
        return try dal.read { try Self.checksum(query, $0) }
    }

    func fetchThenCompanies(_ limit: Int) throws -> Int64 {
        let query = User.order { $0.id.ascending }.limit(limit)
        return try dal.read { try Self.checksum(query, $0) }
    }

    private static func checksum(_ query: Query<User>, _ context: ReadContext) throws -> Int64 {
        var sum: Int64 = 0
        for user in try query.all(in: context) {
            let name = try user.related(\.company, in: context)?.name ?? ""
            sum &+= user.checksum &+ Int64(name.utf8.count)
        }
        return sum
    }
}
