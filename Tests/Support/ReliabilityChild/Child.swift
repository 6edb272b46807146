import Foundation
import Logging
import ReliabilityKit
import Skiathos
import SkiathosLocks

#if canImport(Glibc)
import Glibc
import TestTools

/// A process that writes to a store as a plan says, tells what becomes of each write, and is
/// killed or stopped by its parent.
@main
struct Child {
    let plan: ChildPlan
    let tally = Tally()

    static func main() async throws {
        LoggingSystem.bootstrap { _ in ReportListener() }
        if CommandLine.arguments.dropFirst().first == CallFaultChild.word {
            return try await CallFaultChild.run(Array(CommandLine.arguments.dropFirst()))
        }
        if CommandLine.arguments.dropFirst().first == AccessPairChild.word {
            return try await AccessPairChild.run(Array(CommandLine.arguments.dropFirst()))
        }
        if CommandLine.arguments.dropFirst().first == MemoryFaultChild.word {
            return try await MemoryFaultChild.run(Array(CommandLine.arguments.dropFirst()))
        }
        if CommandLine.arguments.dropFirst().first == WritingChild.word {
            return try await WritingChild.run(Array(CommandLine.arguments.dropFirst()))
        }
        guard let plan = ChildPlan(arguments: Array(CommandLine.arguments.dropFirst())) else {
            exit(64)
        }
        endWithParent()
        try await Child(plan: plan).run()
    }

    /// Ends the process once its parent has: the standard output is a socket, whose other end is closed
    /// then.
    private static func endWithParent() {
        Thread.detachNewThread {
            var byte: UInt8 = 0
            while true {
                let count = read(STDOUT_FILENO, &byte, 1)
                // It is reset if the parent has not read everything.
                if count == 0 || count < 0 && errno == ECONNRESET {
                    _exit(ChildProcess.codeOfOrphans)
                }
                guard count > 0 || errno == EINTR else { return }
            }
        }
    }

    private func run() async throws {
        let signals = plan.trapsFirst ? await SignalObserver() : nil
        if let signals {
            ProtocolLine.reached(.trapped).say()
            if plan.opensLate { try await onThread { signals.wait() } }
        }
        let volume = try plan.hold.map { try watch($0, signals) }
        ProtocolLine.reached(.opening).say()
        let dal = try await open()
        ProtocolLine.reached(.open).say()
        let workload = Workload(plan: plan, dal: dal, tally: tally, signals: signals)
        try await stop(dal, signals) { try await workload.run() }
        // Each writer may be asking for some at this moment, which are refused right after.
        let late = max(0, tally.uncalled - plan.writers * Workload.most)
        await tally.waitUntilToldAll()
        ProtocolLine.issued(tally.issued, late: late).say()
        withExtendedLifetime(volume) {}
        // A closure that never ends must not keep the process.
        exit(0)
    }

    private func open() async throws -> DataAccessLayer {
        var configuration = Configuration()
        configuration.maximumWaitingWrites = 1_000_000
        configuration.checkpointSize = plan.checkpointSize
        configuration.shutdownDeadline = .milliseconds(plan.deadline)
        // Closures that never end are abandoned soon; everything else has enough time.
        configuration.shutdownGrace.flush = .seconds(600)
        if plan.turn != .endless, plan.turn != .crowded {
            configuration.shutdownGrace.closures = .seconds(600)
        }
        configuration.errorHandler = { [tally] failure in
            // Failures of the disk are none of these runs.
            guard failure.operation == .enqueuedWrite else { abort() }
            tally.refused(.enqueued, failure.error)
        }
        return try await DataAccessLayer.open(
            .sqlite(plan.path), entities: Item.self, configuration: configuration)
    }

    /// Holds the process before an operation of a file until the signal has come, or kills it.
    private func watch(_ hold: ChildPlan.Hold, _ signals: SignalObserver?) throws -> Volume {
        let volume = try Volume(plan.directory)
        volume.record(false)
        let count = Counter()
        volume.hook { operation, files in
            guard hold.operation == nil || hold.operation == operation,
                hold.files.contains(files), count.next() == hold.after
            else { return }
            ProtocolLine.reached(.held).say()
            if hold.isFatal { kill(getpid(), SIGKILL) }
            // Without an observer the signal ends the process by itself.
            if let signals { signals.wait() } else { DispatchSemaphore(value: 0).wait() }
        }
        return volume
    }
}
#else
@main
struct Child {
    static func main() {}
}
#endif
