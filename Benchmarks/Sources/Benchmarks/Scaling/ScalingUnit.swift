import ArgumentParser

/// Work whose instructions are counted in stores of several sizes.
enum ScalingUnit: String, CaseIterable, ExpressibleByArgument {
    case read
    case readWarm = "read-warm"
    case query
    case insertAlone = "insert-alone"
    case changeAlone = "change-alone"
    case insert
    case change

    var title: String {
        switch self {
        case .read: "read, cold"
        case .readWarm: "read, warm"
        case .query: "row by an index"
        case .insertAlone: "insert alone"
        case .changeAlone: "change alone"
        case .insert: "insert"
        case .change: "change"
        }
    }

    private static let reads = 500
    /// So few that their pages do not make a checkpoint due.
    private static let writes = 100
    private static let warmUps = 20

    /// Does the work on a table with rows whose numbers begin at 1, and counts it; returns how
    /// often it was done.
    ///
    /// - Parameter objects: How many objects one write of `insert` and `change` has.
    func run(_ contestant: any Contestant, rows: Int, objects: Int) throws -> Int {
        switch self {
        case .read, .readWarm: try read(contestant, rows)
        case .query: try query(contestant, rows)
        case .insertAlone: try insertAlone(contestant, rows)
        case .changeAlone: try changeAlone(contestant, rows)
        case .insert: try insert(contestant, rows, objects)
        case .change: try change(contestant, objects)
        }
    }

    /// Different numbers, scattered, and as many others.
    private func numbers(_ count: Int, _ rows: Int) -> (own: [Int64], others: [Int64]) {
        let own = Set(Input.walk(min(count, rows / 2), through: rows, seed: 42))
        let others = Input.walk(4 * Self.warmUps, through: rows, seed: 43)
            .filter { !own.contains($0) }.prefix(Self.warmUps)
        return (own.sorted(), Array(others))
    }

    private func read(_ contestant: any Contestant, _ rows: Int) throws -> Int {
        let ids = numbers(Self.reads, rows)
        for id in self == .readWarm ? ids.own : ids.others {
            _ = try contestant.read(id, as: 0)
        }
        try counted { for id in ids.own { _ = try contestant.read(id, as: 0) } }
        return ids.own.count
    }

    private func query(_ contestant: any Contestant, _ rows: Int) throws -> Int {
        let ids = numbers(Self.reads, rows)
        let emails = ids.own.map { User(number: $0).email }
        for id in ids.others { _ = try contestant.fetch(withEmail: User(number: id).email) }
        try counted { for email in emails { _ = try contestant.fetch(withEmail: email) } }
        return emails.count
    }

    private func insertAlone(_ contestant: any Contestant, _ rows: Int) throws -> Int {
        let users = (1...Self.writes + Self.warmUps).map { User(number: Int64(rows + $0)) }
        for user in users.prefix(Self.warmUps) { try contestant.insertAlone(user, .committed) }
        let rest = Array(users.dropFirst(Self.warmUps))
        try counted { for user in rest { try contestant.insertAlone(user, .committed) } }
        return rest.count
    }

    private func changeAlone(_ contestant: any Contestant, _ rows: Int) throws -> Int {
        let ids = numbers(Self.writes, rows)
        for id in ids.others { try contestant.increaseAgeAlone(id) }
        try counted { for id in ids.own { try contestant.increaseAgeAlone(id) } }
        return ids.own.count
    }

    private func insert(_ contestant: any Contestant, _ rows: Int, _ objects: Int) throws -> Int {
        let count = max(1, Self.writes / objects)
        let writes = (0...count).map { write in
            (1...objects).map { User(number: Int64(rows + write * objects + $0)) }
        }
        try contestant.insert(writes[0], Stopwatch())
        let watch = Stopwatch()
        try counted { for users in writes.dropFirst() { try contestant.insert(users, watch) } }
        return count * objects
    }

    private func change(_ contestant: any Contestant, _ objects: Int) throws -> Int {
        let count = max(1, Self.writes / objects)
        try contestant.increaseAges(ofFirst: objects)
        try counted { for _ in 0..<count { try contestant.increaseAges(ofFirst: objects) } }
        return count * objects
    }
}

/// Who waits for commits while the work is done.
enum Listening: String, CaseIterable, ExpressibleByArgument {
    case feedsOfOther = "feeds-other"
    case observationsOfOther = "observations-other"
    case observationsOfOtherRows = "observations-other-rows"
    case observationsOfRows = "observations-rows"
    case feedsOfSame = "feeds-same"

    var title: String {
        switch self {
        case .feedsOfOther: "feeds of companies"
        case .observationsOfOther: "observations of companies"
        case .observationsOfOtherRows: "observations of other users"
        case .observationsOfRows: "observations of each user"
        case .feedsOfSame: "feeds of users"
        }
    }
}
