#if Lifecycle
internal import Dispatch
internal import SkiathosLocks
internal import Logging
internal import SkiathosCore
internal import Synchronization
internal import UnixSignals

/// One run of a reactor: passes events to its state, and does what that decides.
///
/// All of it but the work runs on threads that no closure can hold.
final class RunningReactor: Sendable {
    private let reactor: AppStateReactor
    private let budget: StopBudget
    private let flusher: StoreFlusher
    private let pool: PoolWatch
    /// Guarded by the lock.
    private let state = Lock(ReactorState())
    /// Completed when the work is to stop, with the moment.
    private let stopping = Promise<ContinuousClock.Instant, Never>()
    /// Completed when the stores are to be shut down.
    private let closing = Promise<Void, Never>()
    /// Completed when they are.
    private let closed = Promise<ReactorReport, Never>()

    /// Created by the task that is to continue after the run.
    init(_ reactor: AppStateReactor) {
        self.reactor = reactor
        budget = StopBudget(deadline: reactor.deadline)
        flusher = StoreFlusher(reactor.stores, logger: reactor.logger)
        pool = PoolWatch(reactor.logger, reaction: reactor.whenBlocked)
    }

    /// Runs the work, and returns when the stores were shut down.
    ///
    /// - Parameter states: Calls its argument for each state of the app, until there are no more.
    func run(
        following states: @escaping @Sendable (@Sendable (AppState) -> Void) async throws -> Void,
        _ work: @escaping @Sendable () async throws -> Void
    ) async throws -> ReactorReport {
        let signals = await UnixSignalsSequence.trapping(reactor.signals + reactor.flushSignals)
        let receiving = Task(executorPreference: ShutdownExecutor.shared) {
            await self.react(to: signals)
        }
        let following = Task(executorPreference: ShutdownExecutor.shared) {
            await self.follow(states)
        }
        let working = Task {
            do {
                self.handle(.workEnded(.success(try await work())))
            } catch {
                self.handle(.workEnded(.failure(error)))
            }
        }
        // On another thread, since handlers of the cancellation may block.
        stopping.whenComplete { _ in
            Task(executorPreference: ShutdownExecutor.shared) { working.cancel() }
        }
        Task(executorPreference: ShutdownExecutor.shared) { await self.close() }
        defer {
            receiving.cancel()
            following.cancel()
            pool.end()
        }
        // Cancelling the caller asks to stop, and does not cut that short.
        let report = await withTaskCancellationHandler {
            await closed.outcome().get()
        } onCancel: {
            handle(.stopRequested(endsProcess: false))
        }
        let state = state.withLock { $0 }
        if !state.wasStopped, case .failure(let error) = state.work { throw error }
        return report
    }

    private func react(to signals: UnixSignalsSequence) async {
        var isFirst = true
        for await signal in signals {
            guard reactor.signals.contains(signal) else {
                reactor.logger.info("Flushing after \(signal).")
                flusher.request()
                continue
            }
            reactor.logger.info("Stopping after \(signal)\(isFirst ? "" : ", at once").")
            handle(isFirst ? .stopRequested(endsProcess: true) : .hurried)
            isFirst = false
        }
    }

    private func follow(
        _ states: @Sendable (@Sendable (AppState) -> Void) async throws -> Void
    ) async {
        do {
            try await states { state in
                switch state {
                case .active: break
                case .inactive, .background: self.flusher.request()
                case .terminating: self.handle(.stopRequested(endsProcess: true))
                }
            }
        } catch is CancellationError {
            // The run has ended.
        } catch {
            reactor.logger.error("The states of the app ended with an error: \(error)")
        }
    }

    private func handle(_ event: ReactorState.Event) {
        for action in state.withLock({ $0.handle(event) }) { perform(action) }
    }

    private func perform(_ action: ReactorState.Action) {
        switch action {
        case .stopWork:
            stopping.complete(.success(.now))
            // A sleeping task would be woken by a thread of the pool.
            DispatchQueue(label: "skiathos.deadline")
                .asyncAfter(deadline: .now() + .nanoseconds(budget.work.nanoseconds)) {
                    [weak self] in self?.handle(.workTimePassed)
                }
        case .closeStores: closing.complete(.success(()))
        case .hurryStores:
            Task(executorPreference: ShutdownExecutor.shared) { [reactor] in
                await reactor.stores.shutDownAtOnce()
            }
        case .watchPool:
            guard let report = closed.current?.get() else { return }
            let areClosed = report.stores.allSatisfy(\.isClosed)
            pool.begin(areClosed ? .seconds(5) : .seconds(1)) { report }
        }
    }

    /// Waits until the stores are to be shut down, and does it.
    private func close() async {
        _ = await closing.outcome()
        flusher.end()
        let state = state.withLock { $0 }
        let elapsed = stopping.current?.get().duration(to: .now) ?? .zero
        let stores = await reactor.stores.shutDown(within: budget.stores(after: elapsed))
        let report = ReactorReport(
            stores: stores, workEnded: state.work != nil, workFailure: state.failureOfStopping)
        if !report.isComplete { reactor.logger.error("\(report)") }
        closed.complete(.success(report))
        handle(.storesClosed)
    }
}

extension ReactorState {
    /// The error that the work has thrown after it was asked to stop, unless it says just that.
    fileprivate var failureOfStopping: (any Error)? {
        guard wasStopped, case .failure(let error) = work, !(error is CancellationError) else {
            return nil
        }
        return error
    }
}
#endif
