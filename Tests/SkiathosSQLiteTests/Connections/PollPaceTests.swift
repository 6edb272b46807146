import TestSupport
import Testing

@testable import SkiathosSQLite

/// When looks for commits are made, in a simulated time.
struct PollPaceTests {
    /// A thread that pauses for as long as the pace says, beside a process that writes.
    private struct Simulation {
        var pace: PollPace
        var now: ContinuousClock.Instant
        var isWatched = true
        /// The moments of writes that the watch has not told of, and of what looks can see.
        var writes: [ContinuousClock.Instant] = []
        var commits: [ContinuousClock.Instant] = []
        var looks: [ContinuousClock.Instant] = []
        /// How late each commit was seen.
        var delays: [Duration] = []
        private var pause: PollPace.Pause
        private let start: ContinuousClock.Instant

        init(every interval: Duration) {
            pace = PollPace(every: interval)
            pause = pace.first
            // Read once: simulated time does not pass on its own.
            start = .now
            now = start
        }

        /// Looks until a moment.
        mutating func run(until end: ContinuousClock.Instant) {
            while let next = nextLook(before: end) {
                now = next
                looks.append(now)
                let wasWritten = isWatched && writes.contains { $0 <= now }
                writes.removeAll { $0 <= now }
                let seen = commits.filter { $0 <= now }
                commits.removeAll { $0 <= now }
                for commit in seen { delays.append(commit.duration(to: now)) }
                pause = pace.pause(
                    after: seen.isEmpty ? .nothing : .commits, wasWritten: wasWritten,
                    isWatched: isWatched, at: now)
            }
            now = end
        }

        private func nextLook(before end: ContinuousClock.Instant) -> ContinuousClock.Instant? {
            let last = looks.last ?? start
            var next = last + pause.longest
            if isWatched, let write = writes.min() {
                next = min(next, max(write, last + pause.deaf))
            }
            return next <= end ? next : nil
        }
    }

    @Test(arguments: [1, 50, 5_000])
    func `without a watch of writes, looks are made at the interval`(_ milliseconds: Int) {
        let interval = Duration.milliseconds(milliseconds)
        var simulation = Simulation(every: interval)
        simulation.isWatched = false
        simulation.run(until: simulation.now + interval * 1_000)
        #expect(simulation.looks.count == 1_000)
    }

    @Test(arguments: [1, 50])
    func `while nothing is written, a look is made each second`(_ milliseconds: Int) {
        var simulation = Simulation(every: .milliseconds(milliseconds))
        simulation.run(until: simulation.now + .seconds(10))
        #expect(simulation.pace.isQuiet)
        let count = simulation.looks.count
        simulation.run(until: simulation.now + .seconds(100))
        #expect(simulation.looks.count - count == 100)
    }

    @Test
    func `a look that cannot see whether there were commits is followed by one an interval later`()
    {
        var pace = PollPace(every: .milliseconds(5))
        for _ in 0..<10 {
            let pause = pace.pause(
                after: .lockOrFailure, wasWritten: true, isWatched: true, at: .now)
            #expect(pause.longest == .milliseconds(5))
        }
    }

    /// A commit is written a while before it can be seen: its sync comes in between.
    @Test(.seeded, arguments: [1, 50])
    func `a commit is seen no later than after the interval, or the time that it took`(
        _ milliseconds: Int
    ) {
        let interval = Duration.milliseconds(milliseconds)
        var random = SeededNumbers(seed: Seed.current)
        var simulation = Simulation(every: interval)
        for _ in 0..<2_000 {
            let idle = Self.anySpan(upTo: 22, &random)
            let span = Self.anySpan(upTo: 21, &random)
            let start = simulation.now + idle
            let end = start + span
            simulation.writes = [start]
            // Pages that did not fit into memory, and the last one.
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                let part = span * Int.random(in: 0...100, using: &random) / 100
                simulation.writes.append(start + part)
            }
            let last = simulation.writes.max() ?? start
            simulation.commits.append(end)
            let seen = simulation.delays.count
            let limit = max(interval, last.duration(to: end) + .microseconds(100))
            simulation.run(until: end + limit)
            #expect(simulation.delays.count == seen + 1)
        }
    }

    @Test func `a commit at the very start is seen with the first look`() {
        var simulation = Simulation(every: .milliseconds(1))
        simulation.writes = [simulation.now]
        simulation.commits = [simulation.now]
        simulation.run(until: simulation.now + .milliseconds(1))
        #expect(simulation.delays == [.milliseconds(1)])
    }

    /// A time of any order of magnitude, up to a power of two in microseconds.
    private static func anySpan(
        upTo power: Int, _ random: inout SeededNumbers
    ) -> Duration {
        let limit = 1 << Int.random(in: 0...power, using: &random)
        return .microseconds(Int.random(in: 0...limit, using: &random))
    }

    @Test func `a commit that comes alone is seen as soon as it can be`() {
        var simulation = Simulation(every: .milliseconds(50))
        for _ in 0..<100 {
            let start = simulation.now + .seconds(3)
            simulation.writes = [start]
            simulation.commits = [start + .microseconds(20)]
            simulation.run(until: start + .seconds(3))
            #expect((simulation.delays.last ?? .zero) < .microseconds(50))
        }
        #expect(simulation.delays.count == 100)
    }

    @Test(arguments: [true, false])
    func `however much is written, a limited number of looks is made in an interval`(
        _ commits: Bool
    ) {
        let interval = Duration.milliseconds(50)
        for gap in [10, 100, 700, 5_000, 49_000] {
            var simulation = Simulation(every: interval)
            let start = simulation.now
            for number in 0..<2_000_000 / gap {
                let moment = start + .microseconds(gap * number)
                simulation.writes.append(moment)
                if commits { simulation.commits.append(moment) }
                if number % 100 == 99 { simulation.run(until: moment) }
            }
            // Two seconds; a burst begins with looks after 50, 100, … microseconds.
            #expect(simulation.looks.count <= (commits ? 60 : 40 * 13), "\(gap)")
        }
    }
}
