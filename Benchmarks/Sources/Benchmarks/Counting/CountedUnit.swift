import ArgumentParser

/// Work whose instructions are counted.
enum CountedUnit: String, CaseIterable, ExpressibleByArgument {
    case decode
    case objects
    case read
    case readWarm = "read-warm"
    case readAwait = "read-await"
    case query
    case related
    case insert
    case insertAlone = "insert-alone"
    case merged
    case change
    case delete

    var title: String {
        switch self {
        case .decode: "fetch one of many rows as a value"
        case .objects: "fetch one of many rows as an object"
        case .read: "point read, own closure, cold"
        case .readWarm: "point read, own closure, warm"
        case .readAwait: "the same with await, in a task"
        case .query: "fetch one of 5 rows by an indexed column, own closure"
        case .related: "a user and its company in a loop"
        case .insert: "insert one of many rows in one write"
        case .insertAlone: "insert in a write of its own"
        case .merged: "insert in a write of its own, merged (raw C: one of many in one transaction)"
        case .change: "fetch, change one field and save one of many rows"
        case .delete: "fetch and delete one of many objects"
        }
    }

    /// How often the work is done.
    static let rows = 5_000
    private static let few = 500
    /// As many as share a commit by default, so that the last one commits them.
    private static let batch = 1_000

    /// Whether the table is filled before.
    var needsRows: Bool { ![.insert, .insertAlone, .merged].contains(self) }

    /// Callgrind makes a process fifty times as slow, so that the interval after which a batch is
    /// committed, by another thread, would pass in the middle of it.
    var options: ContestantOptions {
        ContestantOptions(commitInterval: self == .merged ? .seconds(3_600) : nil)
    }

    /// Does the work, once before and once counted; returns how often it was done.
    func run(_ contestant: any Contestant) throws -> Int {
        var sizes = Input.Sizes()
        sizes.rows = Self.rows
        sizes.reads = Self.few
        let input = Input(sizes)
        switch self {
        case .decode, .objects, .change, .related: return try repeated(contestant)
        case .read, .readWarm, .readAwait: return try read(contestant, input)
        case .query: return try query(contestant, input)
        case .insert:
            try contestant.insert([User(number: Int64(Self.rows) + 1)], Stopwatch())
            try counted { try contestant.insert(input.filling, Stopwatch()) }
            return Self.rows
        case .insertAlone:
            let users = input.users.prefix(Self.few + 20)
            for user in users.suffix(20) { try contestant.insertAlone(user, .committed) }
            try counted {
                for user in users.prefix(Self.few) {
                    try contestant.insertAlone(user, .committed)
                }
            }
            return Self.few
        case .merged:
            let users = input.users.prefix(Self.batch + 20)
            try contestant.insertMerged(Array(users.suffix(20)))
            let batch = Array(users.prefix(Self.batch))
            try counted { try contestant.insertMerged(batch) }
            return Self.batch
        case .delete:
            try counted { try contestant.deleteOneByOne(Stopwatch()) }
            return Self.rows
        }
    }

    private func read(_ contestant: any Contestant, _ input: Input) throws -> Int {
        // Cold means each row once, and only others before.
        let distinct = Set(input.ids)
        let ids = distinct.sorted()
        let others = (1...Int64(Self.rows)).filter { !distinct.contains($0) }.prefix(20)
        for id in self == .read ? Array(others) : ids {
            _ = try contestant.read(id, as: 0)
        }
        if self == .readAwait {
            try counted {
                try CallingThread.run {
                    for id in ids { _ = try await contestant.readInTask(id, as: 0) }
                }
            }
        } else {
            try counted { for id in ids { _ = try contestant.read(id, as: 0) } }
        }
        return ids.count
    }

    private func query(_ contestant: any Contestant, _ input: Input) throws -> Int {
        let companies = input.companyIDs.prefix(100)
        _ = try contestant.fetch(ofCompany: companies[0])
        try counted { for id in companies { _ = try contestant.fetch(ofCompany: id) } }
        return companies.count * Self.rows / Int(Input.companies)
    }

    private func repeated(_ contestant: any Contestant) throws -> Int {
        let watch = Stopwatch()
        func once() throws {
            switch self {
            case .decode: _ = try contestant.fetchAll(watch)
            case .objects: _ = try contestant.fetchObjects(held: false, watch)
            case .change: try contestant.increaseAges()
            default: _ = try contestant.fetchThenCompanies(1_000)
            }
        }
        try once()
        try counted { try once() }
        return self == .related ? 1_000 : Self.rows
    }
}
