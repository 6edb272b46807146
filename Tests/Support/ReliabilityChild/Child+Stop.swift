#if Lifecycle
import Logging
import ReliabilityKit
import ServiceLifecycle
import Skiathos
import SkiathosLifecycle
import UnixSignals

#if canImport(Glibc)
extension Child {
    /// Runs the work until the store is stopped by whom the plan names.
    func stop(
        _ dal: DataAccessLayer, _ signals: SignalObserver?,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        switch plan.host {
        case .unmanaged: try await work()
        case .reactor:
            let running = Task { try await dal.runUntilTerminated(work) }
            // One that came before the reactor was there counts as well.
            let watching = Task {
                await signals?.first()
                if signals != nil { running.cancel() }
            }
            defer { watching.cancel() }
            for report in try await running.value.stores { say(report) }
        case .group, .hangingGroup:
            try await stopGroup(dal, work)
            say(await dal.shutDown())
        }
    }

    private func stopGroup(
        _ dal: DataAccessLayer, _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        let logger = Logger(label: "child")
        let isHanging = plan.host == .hangingGroup
        let services: [any Service] = [dal, Worker(work: work, isHanging: isHanging)]
        var configuration = ServiceGroupConfiguration(services: services, logger: logger)
        if isHanging {
            configuration.gracefulShutdownSignals = [.sigterm, .sigint]
            configuration.maximumGracefulShutdownDuration = .milliseconds(plan.patience)
            try await ServiceGroup(configuration: configuration).run()
        } else {
            try? await ServiceGroup(configuration: configuration)
                .runUntilTerminated(hurrying: dal, logger: logger)
        }
    }

    private func say(_ report: ShutdownReport) {
        ProtocolLine.report(
            isClosed: report.isClosed, isDurable: report.isDurable, refused: report.refused,
            unfinished: report.unfinished
        ).say()
    }
}

/// Does the work as a service, until it is asked to stop or is cancelled.
private struct Worker: Service {
    let work: @Sendable () async throws -> Void
    let isHanging: Bool

    func run() async throws {
        if isHanging { return try await work() }
        try await cancelWhenGracefulShutdown { try await work() }
    }
}
#endif
#else
import ReliabilityKit
import Skiathos

extension Child {
    /// Runs the work until it ends by itself; the trait `Lifecycle` adds the code that stops a
    /// store.
    func stop(
        _ dal: DataAccessLayer, _ signals: SignalObserver?,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws {
        guard plan.host == .unmanaged else {
            fatalError(
                "Build ReliabilityChild with the trait Lifecycle to stop a store by \(plan.host).")
        }
        try await work()
    }
}
#endif
