import Foundation
import QueryTestKit
import ReliabilityKit
import Skiathos
import SkiathosPlatformLibC
import SkiathosTesting
import TestTools

/// A goal with the seed that decides how it is pursued.
struct Round {
    let goal: Goal
    let seed: UInt64

    /// What a round has come to.
    struct Report {
        let goal: Goal
        let seed: UInt64
        let seconds: Double
        let figures: [String: Int]
        let problems: [String]

        /// All of it but the problems' texts, as one line of JSON.
        var line: String {
            var fields: [String: Any] = figures
            fields["goal"] = goal.rawValue
            fields["seed"] = seed
            fields["seconds"] = (seconds * 100).rounded() / 100
            fields["problems"] = problems.count
            let data = try? JSONSerialization.data(withJSONObject: fields, options: .sortedKeys)
            return data.map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        }
    }

    /// Pursues the goal once, for some seconds.
    func report() async throws -> Report {
        let start = ContinuousClock.now
        let (figures, problems) = try await outcome()
        let time = start.duration(to: .now).components
        return Report(
            goal: goal, seed: seed, seconds: Double(time.seconds) + Double(time.attoseconds) / 1e18,
            figures: figures, problems: problems)
    }

    private func outcome() async throws -> (figures: [String: Int], problems: [String]) {
        switch goal {
        case .powerCuts: return try await powerCuts(isFaulty: false)
        case .faultyPowerCuts: return try await powerCuts(isFaulty: true)
        case .faults: return try await faults()
        case .systemCalls: return try await systemCalls()
        case .walDamage: return try await walDamage()
        case .histories: return try await histories()
        case .liveQueries: return try await liveQueries()
        case .scopedQueries: return try await scopedQueries()
        case .kills: return try await kills()
        case .terminations: return try await terminations()
        case .hostileFiles: return try hostileFiles()
        }
    }

    private func powerCuts(isFaulty: Bool) async throws -> ([String: Int], [String]) {
        var run = PowerCutRun(seed: seed)
        run.lives = 8
        run.images = 8_000
        // In every other round a read-only store stays attached.
        run.hasOnlooker = !seed.isMultiple(of: 2)
        if isFaulty {
            run.fault = run.hasOnlooker ? PowerCutRun.checkpointFault : PowerCutRun.anyFault
        }
        let result = try await run.run()
        var problems = result.problems
        if result.durableWrites < 100 { problems.append("There were too few durable writes.") }
        var copies = CopyCutRun(seed: seed)
        copies.imagesPerMoment = isFaulty ? 0 : 12
        let copied = try await copies.run()
        problems += copied.problems
        return (
            [
                "images": result.images, "imagesOfCopies": copied.images, "events": result.events,
                "faults": result.faults,
                "durableWrites": result.durableWrites,
            ], problems
        )
    }

    private func faults() async throws -> ([String: Int], [String]) {
        // Every operation, however many there are.
        let result = try await FaultSweep(limit: .max, seed: seed).run()
        var figures = result.outcomes
        figures["faults"] = result.faults
        figures["poisonings"] = result.poisonings
        return (figures, result.problems)
    }

    private func walDamage() async throws -> ([String: Int], [String]) {
        var run = WALDamageRun(seed: seed)
        run.stores = 40
        let result = try await run.run()
        return (
            [
                "mutants": result.mutants, "refused": result.refused,
                "accepted": result.accepted,
            ], result.problems
        )
    }

    private func histories() async throws -> ([String: Int], [String]) {
        var random = SeededNumbers(seed: seed)
        var problems: [String] = []
        var operations = 0
        let count = 50
        for _ in 0..<count {
            let directory = try TemporaryDirectory()
            let seed = random.next()
            let source = StoreSource.sqlite(directory.file("store.sqlite"))
            let result = try await HistoryRun(seed: seed, source: source).perform()
            operations += result.operations
            problems += result.violations.map { "History \(seed): \($0)" }
        }
        return (["histories": count, "operations": operations], problems)
    }

    private func liveQueries() async throws -> ([String: Int], [String]) {
        var run = LiveRun(seed: seed)
        run.histories = 5_000
        let result = try await run.run()
        return (["histories": result.histories, "commits": result.commits], result.problems)
    }

    private func scopedQueries() async throws -> ([String: Int], [String]) {
        var run = ScopedRun(seed: seed)
        run.queries = 100_000
        let result = try await run.run()
        return (["queries": result.queries, "tooDeep": result.tooDeep], result.problems)
    }

    private func hostileFiles() throws -> ([String: Int], [String]) {
        var run = HostileRun(seed: seed)
        run.mutants = 1_000
        let result = try run.run()
        var problems = result.problems
        if result.opened < 50 { problems.append("Too few files could be opened.") }
        return (
            [
                "mutants": result.mutants, "opened": result.opened, "sound": result.sound,
                "written": result.written, "errors": result.codes.values.reduce(0, +),
                "longestMilliseconds": result.longest,
            ], problems
        )
    }

    #if canImport(Glibc)
    private func systemCalls() async throws -> ([String: Int], [String]) {
        let result = try await CallFaultSweep(places: .max, isExhaustive: true).run()
        var problems = result.problems
        if result.faults < 1_000 { problems.append("There were too few faults.") }
        return (["faults": result.faults, "errors": result.said.count], problems)
    }

    private func kills() async throws -> ([String: Int], [String]) {
        let result = try await KillRun(seed: seed).run()
        return (
            ["kills": result.kills, "acknowledgements": result.promises], result.problems
        )
    }

    private func terminations() async throws -> ([String: Int], [String]) {
        var run = TerminationRun(seed: seed, signal: SIGTERM)
        // One at a time, so that the times are those of a process alone.
        run.lanes = 1
        let result = try await run.run()
        let stops = StopCase.all
        let problems = try await stops[Int(seed % UInt64(stops.count))].run(seed: seed)
        let times = result.durations.map { Int($0 / .milliseconds(1)) }
        return (
            [
                "terminations": times.count, "done": result.done, "refused": result.refused,
                "medianMilliseconds": times.isEmpty ? 0 : times[times.count / 2],
                "longestMilliseconds": times.last ?? 0,
            ], result.problems + problems
        )
    }
    #else
    private func systemCalls() async throws -> ([String: Int], [String]) { ([:], []) }
    private func kills() async throws -> ([String: Int], [String]) { ([:], []) }
    private func terminations() async throws -> ([String: Int], [String]) { ([:], []) }
    #endif
}
