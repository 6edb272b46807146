import Skiathos

/// Work that every contestant does, in the order of this list, and what of it is timed.
enum Workload: String, CaseIterable {
    case insert = "W1"
    case fetchAll = "R1"
    case fetchOneByOne = "R2b"
    case change = "W4"

    func title(rows: Int, reads: Int) -> String {
        switch self {
        case .insert: "insert \(rows) in one write"
        case .fetchAll: "fetch all \(rows) as values"
        case .fetchOneByOne: "\(reads) point reads, a closure each"
        case .change: "fetch, change one field, save \(rows)"
        }
    }

    /// Runs the workload and returns the seconds of its timed part and a checksum of its outcome.
    func run(_ contestant: any Contestant, _ input: Input) throws -> Outcome {
        let clock = ContinuousClock()
        var checksum: Int64 = 0
        let duration: Duration
        switch self {
        case .insert:
            try contestant.deleteAll()
            duration = try clock.measure { try contestant.insert(input.users) }
        case .fetchAll:
            var users: [User] = []
            duration = try clock.measure { users = try contestant.fetchAll() }
            checksum = users.reduce(0) { $0 &+ $1.checksum }
        case .fetchOneByOne:
            duration = try clock.measure { checksum = try contestant.fetchOneByOne(input.ids) }
        case .change:
            duration = try clock.measure { try contestant.increaseAges() }
            checksum = try contestant.fetchAll().reduce(0) {
                $0 &+ $1.checksum &- $1.id.rawValue &* 31
            }
        }
        return Outcome(seconds: duration / .seconds(1), checksum: checksum)
    }

    struct Outcome {
        let seconds: Double
        let checksum: Int64
    }

    /// What all contestants are given.
    struct Input {
        let users: [User]
        let ids: [Int64]

        init(rows: Int, reads: Int) {
            users = (1...Int64(rows)).map { User(number: $0) }
            // A linear congruential walk: scattered, and the same for everybody.
            var state: UInt64 = 42
            ids = (0..<reads).map { _ in
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                return Int64(state >> 33) % Int64(rows) + 1
            }
        }
    }
}
