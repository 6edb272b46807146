import BenchmarkReports
import Synchronization

extension Workload {
    /// M1: one writer and four readers at the same time.
    static func mixed(_ sizes: Input.Sizes) -> [Workload] {
        [("M1", "tasks", MixedLoad.inTasks), ("M1t", "threads", MixedLoad.inThreads)].map {
            id, crew, run in
            Workload(
                id: id, section: .mixed,
                figures: [
                    Figure(
                        id: "\(id) writes", title: "throughput of 1 writer, \(crew)",
                        unit: "write", kind: .throughput),
                    Figure(
                        id: "\(id) reads", title: "throughput of 4 readers beside it, \(crew)",
                        unit: "read", kind: .throughput),
                ]
            ) { entrant, _, _ in
                let contestant = entrant.contestant
                let load = MixedLoad(contestant, rows: sizes.rows, seconds: sizes.mixedSeconds)
                try run(load)()
                try requireRows(sizes.rows + load.writes, contestant, id)
                try contestant.deleteUsers(above: Int64(sizes.rows))
                return Outcome(
                    seconds: [load.writes, load.reads].map { load.seconds / Double(max($0, 1)) },
                    checksum: try contestant.fetchAll(Stopwatch()))
            }
        }
    }
}

/// Small committed writes of one and point reads of four, each in a closure of its own, for some time.
final class MixedLoad: Sendable {
    private struct Counts {
        var writes = 0
        var reads = 0
        var seconds = 0.0
    }

    /// How many reads a task makes before it lets others go on: none of the contestants' reads need
    /// ever give the thread away, and there are fewer threads than tasks.
    private static let readsPerTurn = 10

    private let contestant: any Contestant
    private let rows: Int
    private let duration: Duration
    private let counts = Mutex(Counts())

    init(_ contestant: any Contestant, rows: Int, seconds: Double) {
        self.contestant = contestant
        self.rows = rows
        duration = .seconds(seconds)
    }

    var writes: Int { counts.withLock { $0.writes } }
    var reads: Int { counts.withLock { $0.reads } }
    var seconds: Double { counts.withLock { $0.seconds } }

    func inThreads() throws {
        try timing { end in
            try Crew.threads(5) { number in
                var count = 0
                let ids = self.ids(number)
                while ContinuousClock.now < end {
                    if number == 0 {
                        count += 1
                        try self.contestant.insertAlone(self.user(count), .committed)
                    } else {
                        for _ in 0..<Self.readsPerTurn {
                            let id = ids[count % ids.count]
                            count += 1
                            _ = try self.contestant.read(id, as: number - 1)
                        }
                    }
                }
                self.add(count, number)
            }
        }
    }

    func inTasks() throws {
        try timing { end in
            try Crew.tasks(5) { number in
                var count = 0
                let ids = self.ids(number)
                while ContinuousClock.now < end {
                    if number == 0 {
                        count += 1
                        try await self.contestant.insertAloneInTask(self.user(count), .committed)
                    } else {
                        for _ in 0..<Self.readsPerTurn {
                            let id = ids[count % ids.count]
                            count += 1
                            _ = try await self.contestant.readInTask(id, as: number - 1)
                        }
                    }
                    await Task.yield()
                }
                self.add(count, number)
            }
        }
    }

    private func timing(_ body: (ContinuousClock.Instant) throws -> Void) throws {
        let start = ContinuousClock.now
        try body(start + duration)
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        counts.withLock { $0.seconds = seconds }
    }

    private func ids(_ number: Int) -> [Int64] {
        Input.walk(10_000, through: rows, seed: UInt64(number))
    }

    private func user(_ number: Int) -> User { User(number: Int64(rows + number)) }

    private func add(_ count: Int, _ number: Int) {
        counts.withLock { if number == 0 { $0.writes = count } else { $0.reads += count } }
    }
}
