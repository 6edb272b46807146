#if canImport(Glibc)
import Glibc
import SkiathosTesting

/// One way to tell a process to stop, and what its store is doing then.
package struct StopCase: Sendable, Hashable {
    /// The signals, each sent when the one before was noticed.
    package enum Signals: String, Sendable, Hashable, CaseIterable {
        /// SIGTERM.
        case one
        /// SIGTERM twice.
        case two
        /// SIGINT and SIGTERM.
        case different

        fileprivate var numbers: [Int32] {
            switch self {
            case .one: [SIGTERM]
            case .two: [SIGTERM, SIGTERM]
            case .different: [SIGINT, SIGTERM]
            }
        }
    }

    /// What the store is doing.
    package enum Load: String, Sendable, Hashable, CaseIterable {
        /// Nothing.
        case idle
        /// A write that never ends, on a thread of its own.
        case closure
        /// Reads that never end, on every thread of the pool.
        case crowd
        /// Writes wait behind one that ends after the first signal, or never if a second is sent.
        case queue
    }

    /// What stops the store.
    package var host: ChildPlan.Host
    package var signals: Signals
    package var load: Load

    /// Every combination.
    package static var all: [StopCase] {
        [ChildPlan.Host.reactor, .group].flatMap { host in
            Signals.allCases.flatMap { signals in
                Load.allCases.map { StopCase(host: host, signals: signals, load: $0) }
            }
        }
    }

    private static let queued = 200

    private var isHurried: Bool { signals != .one }

    /// Stops a process in this way; returns what is wrong, in sentences.
    package func run(seed: UInt64) async throws -> [String] {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let plan = plan(directory.path, seed)
        let trial = try await Trial(plan) { child in
            await child.wait(for: .queued)
            var sent = ContinuousClock.now
            for (index, signal) in signals.numbers.enumerated() {
                if index > 0 { await child.wait(for: .noticed) }
                sent = child.send(signal)
            }
            return sent
        }
        return trial.problems + problems(of: trial)
    }

    private func plan(_ directory: String, _ seed: UInt64) -> ChildPlan {
        var plan = ChildPlan(directory: directory, ledger: seed, seed: seed)
        plan.host = host
        plan.writers = 0
        plan.isLight = true
        // A process that a second signal does not hasten is killed long before this has passed.
        let isEndless = load == .closure || load == .crowd
        plan.deadline = isHurried ? 3_600_000 : isEndless ? 1_000 : 600_000
        switch load {
        case .idle: break
        case .closure: plan.turn = .endless
        case .crowd: plan.turn = .crowded
        case .queue:
            plan.queued = Self.queued
            plan.turn = isHurried ? .endless : .untilSignal
            plan.trapsFirst = !isHurried
        }
        return plan
    }

    private func problems(of trial: Trial) -> [String] {
        var problems: [String] = []
        let (end, report, number): (ChildProcess.End, ProtocolLine?, Int) =
            switch load {
            // A second signal may come before the closing has ended, or after.
            case .idle where isHurried: (.exited(0), trial.testimony.report, 0)
            case .idle: (.exited(0), Self.report(isClosed: true), 0)
            case .closure: (.exited(0), Self.report(isClosed: false, unfinished: 1), 0)
            // No task can continue to print the report, and the process cannot end gracefully.
            case .crowd: (.exited(1), nil, 1)
            case .queue where isHurried:
                (.exited(0), Self.report(isClosed: false, refused: Self.queued, unfinished: 1), 0)
            case .queue: (.exited(0), Self.report(isClosed: true), Self.queued + 1)
            }
        if trial.end != end { problems.append("It has ended as \(trial.end), not as \(end).") }
        if trial.testimony.report != report {
            problems.append("Its report is \(trial.testimony.report.map { "\($0)" } ?? "missing").")
        }
        if trial.number != number {
            problems.append("It holds \(trial.number) writes, not \(number).")
        }
        if load == .crowd, !trial.testimony.points.contains(.reported) {
            problems.append("Its log does not hold the report.")
        }
        return problems
    }

    private static func report(
        isClosed: Bool, refused: Int = 0, unfinished: Int = 0
    ) -> ProtocolLine {
        .report(isClosed: isClosed, isDurable: true, refused: refused, unfinished: unfinished)
    }
}

extension StopCase: CustomStringConvertible {
    package var description: String { "\(host.rawValue), \(signals.rawValue), \(load.rawValue)" }
}
#endif
