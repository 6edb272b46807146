/// What all contestants are given.
struct Input {
    /// How large the table is, and how often things are done.
    struct Sizes {
        var rows = 100_000
        var reads = 20_000
        var smallWrites = 4_000
        var durableWrites = 400
        /// How often a query of few rows is repeated.
        var queries = 1_000
        /// How often a query that takes milliseconds is repeated.
        var longQueries = 5
        /// How long concurrent reads and writes run.
        var mixedSeconds = 0.5

        /// How many users are asked for their companies.
        var related: Int { min(1_000, rows) }
    }

    static let companies: Int64 = 1_000

    let sizes: Sizes
    let users: [User]
    /// The users of the filled table.
    let filling: [User]
    let ids: [Int64]
    /// Companies that have users.
    let companyIDs: [Int64]

    init(_ sizes: Sizes) {
        self.sizes = sizes
        let count = max(sizes.rows, sizes.smallWrites, sizes.durableWrites)
        users = (1...Int64(count)).map { User(number: $0) }
        filling = Array(users.prefix(sizes.rows))
        ids = Self.walk(sizes.reads, through: sizes.rows, seed: 42)
        // Every tenth user has none, so that a tenth of the companies has no users.
        companyIDs = (0..<sizes.queries).map { Int64($0) * 7 % Self.companies + 1 }
            .map { $0 % 10 == 1 ? $0 + 1 : $0 }
    }

    /// A linear congruential walk over numbers from 1 on: scattered, and the same for all
    /// contestants.
    static func walk(_ count: Int, through rows: Int, seed: UInt64) -> [Int64] {
        var state = seed
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int64(state >> 33) % Int64(rows) + 1
        }
    }
}
