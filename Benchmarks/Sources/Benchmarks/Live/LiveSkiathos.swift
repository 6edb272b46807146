import Dispatch
import Skiathos
import Synchronization

/// A store with observers.
final class LiveSkiathos: Sendable {
    let dal: DataAccessLayer
    let rows: Int

    init(path: String, rows: Int) throws {
        self.rows = rows
        dal = try DataAccessLayer(.sqlite(path), entities: User.self, Company.self)
        try dal.write { context in
            for number in 1...1_000 {
                try Company.create(id: Company.ID(rawValue: Int64(number)), in: context) {
                    $0.name = "Company \(number)"
                }
            }
        }
        for start in stride(from: 1, through: rows, by: 10_000) {
            try dal.write { context in
                for number in start...min(start + 9_999, rows) {
                    let user = User(number: Int64(number))
                    try User.create(id: user.id, in: context) { $0 = user }
                }
            }
        }
    }

    func close() { try? dal.close() }

    /// Runs observers, each in a task of its own, until `body` has ended.
    func observing<Value: Sendable>(
        _ sequences: [any AsyncSequence<Value, any Error> & Sendable],
        _ received: @escaping @Sendable (Int, Value) -> Void, _ body: () throws -> Void
    ) throws {
        let started = DispatchSemaphore(value: 0)
        let ended = DispatchSemaphore(value: 0)
        let tasks = sequences.enumerated().map { number, sequence in
            Task.detached {
                var isFirst = true
                do {
                    for try await value in sequence {
                        if isFirst { started.signal() } else { received(number, value) }
                        isFirst = false
                    }
                } catch {
                    started.signal()
                }
                ended.signal()
            }
        }
        for _ in sequences { started.wait() }
        defer {
            for task in tasks { task.cancel() }
            for _ in tasks { ended.wait() }
        }
        try body()
    }

    /// From the write of a row to its value in the loop that observes it.
    ///
    /// - Parameter changesText: Whether its e-mail address changes and not its score.
    func row(writes: Int, changesText: Bool = false) throws -> LiveTimes {
        let id = User.ID(rawValue: 7)
        var times = LiveTimes()
        let arrivals = LiveArrivals()
        try observing([dal.observe(id)], { _, _ in arrivals.note() }) {
            for number in 1...writes {
                try times.measure(arrivals) {
                    try dal.write { context in
                        let user = try User.find(id, in: context)
                        if changesText {
                            user?.email = "changed.\(number)@example.org"
                        } else {
                            user?.score = Double(number) + 0.5
                        }
                        arrivals.closureEnds()
                    }
                }
            }
        }
        return times
    }

    /// From a write that changes 5 of 100 observed results to the last of their values.
    func queries(writes: Int) throws -> LiveTimes {
        var times = LiveTimes()
        let arrivals = LiveArrivals()
        let sequences = (1...100).map { company in
            dal.observe(User.where { $0.company == Company.ID(rawValue: Int64(company)) })
        }
        try observing(sequences, { _, _ in arrivals.note() }) {
            for number in 1...writes {
                try times.measure(arrivals, values: concerned) {
                    try dal.write { context in
                        for company in 1...5 {
                            // The user with this number belongs to the company.
                            let id = User.ID(rawValue: Int64(company * 17 % 99 + 1000))
                            try User.find(id, in: context)?.score = Double(number) + 0.5
                        }
                        arrivals.closureEnds()
                    }
                }
            }
        }
        return times
    }

    /// How many of the observed companies the users of ``queries(writes:)`` belong to.
    private var concerned: Int {
        Set(
            (1...5).compactMap { company -> Int64? in
                let user = User(number: Int64(company * 17 % 99 + 1000))
                return user.company.flatMap { (1...100).contains($0.rawValue) ? $0.rawValue : nil }
            }
        ).count
    }

    /// From the write of a row to the difference of the sorted list.
    func differences(writes: Int) throws -> LiveTimes {
        var times = LiveTimes()
        let arrivals = LiveArrivals()
        let list = dal.observe(User.order { $0.score }).differences
        try observing([list], { _, _ in arrivals.note() }) {
            for number in 1...writes {
                let id = User.ID(rawValue: Int64(number * 37 % rows + 1))
                try times.measure(arrivals) {
                    try dal.write {
                        try User.find(id, in: $0)?.score = Double(number % 977) * 25 + 0.1
                        arrivals.closureEnds()
                    }
                }
            }
        }
        return times
    }

    /// Observers of rows that no write changes.
    private func others(_ count: Int) -> [ObservedValues<User?>] {
        (0..<count).map { dal.observe(User.ID(rawValue: Int64(1_000 + $0 % (rows - 1_000)))) }
    }

    /// From the write of a row to its value in the loop that observes it, beside observers of other
    /// rows.
    func row(writes: Int, besideObservers count: Int) throws -> LiveTimes {
        var times = LiveTimes()
        try observing(others(count), { _, _ in }) { times = try row(writes: writes) }
        return times
    }

    /// The writer's time for a row, beside observers of other rows.
    func writes(_ writes: Int, besideObservers count: Int) throws -> LatencyRecord {
        var times = LatencyRecord()
        try observing(others(count), { _, _ in }) {
            let id = User.ID(rawValue: 7)
            for number in 1...writes {
                try times.measure {
                    try dal.write { try User.find(id, in: $0)?.score = Double(number) + 0.75 }
                }
            }
        }
        return times
    }

    /// Writes beside observers by ID, by equality and by range, whose results they do not change, and
    /// how often these have read.
    func unconcerned(writes: Int) throws -> (LatencyRecord, reads: Int) {
        var times = LatencyRecord()
        let reads = Atomic<Int>(0)
        let counter = LiveCounter()
        let sequences = (0..<999).map { number in
            dal.observe { context -> Int in
                counter.add()
                switch number % 3 {
                case 0:
                    return try User.find(User.ID(rawValue: Int64(number + 10)), in: context)?.age
                        ?? 0
                case 1:
                    return try User.count(
                        where: { $0.company == Company.ID(rawValue: Int64(number)) }, in: context)
                default:
                    return try User.count(where: { $0.score > 1e9 + Double(number) }, in: context)
                }
            }
        }
        try observing(sequences, { _, _ in }) {
            let before = counter.count
            let id = User.ID(rawValue: 7)
            for number in 1...writes {
                try times.measure {
                    try dal.write { try User.find(id, in: $0)?.score = Double(number) + 0.25 }
                }
            }
            reads.store(counter.count - before, ordering: .relaxed)
        }
        return (times, reads.load(ordering: .relaxed))
    }

    /// The bytes of the heap that each observer takes, with its task.
    func memory(observers: Int) throws -> Int {
        let probe = HeapProbe()
        let sequences = (0..<observers).map { number in
            dal.observe(User.ID(rawValue: Int64(number + 1)))
        }
        probe.begin()
        try observing(sequences, { _, _ in }) { probe.look(observers) }
        return Int(probe.bytesPerValue ?? 0)
    }
}
