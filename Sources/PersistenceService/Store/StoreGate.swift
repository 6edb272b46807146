import Dispatch
import Locks
import SkiathosCore
import SkiathosStore
import Synchronization

/// Holds operations back until the store is open, and keeps the failure if it cannot be opened.
final class StoreGate: Sendable {
    /// A thread, task or stream that waits for the store.
    private enum Waiter {
        case thread(DispatchSemaphore)
        case task(CheckedContinuation<Void, any Error>)
    }

    private enum Phase {
        /// Exits: `open`, `failed`.
        case opening
        /// No exit.
        case open(DataAccessLayer)
        /// No exit.
        case failed(any Error)
    }

    private struct State {
        var phase: Phase
        var waiters: [Int: Waiter] = [:]
        /// Waiters that were cancelled before they were registered.
        var cancelled: Set<Int> = []
        var observers: [Int: AsyncStream<Readiness>.Continuation] = [:]
        var nextNumber = 0

        mutating func number() -> Int {
            nextNumber += 1
            return nextNumber
        }
    }

    /// The gates whose store the present task is opening.
    @TaskLocal private static var beingOpened: [ObjectIdentifier] = []

    private let state: Lock<State>
    private let beforeReady: BeforeReady

    /// Makes a gate that is open.
    init(_ dal: DataAccessLayer) {
        state = Lock(State(phase: .open(dal)))
        beforeReady = .wait
    }

    /// Makes a gate that opens when a closure has opened the store; it runs at once.
    init(
        _ beforeReady: BeforeReady, opening: @escaping @Sendable () async throws -> DataAccessLayer
    ) {
        state = Lock(State(phase: .opening))
        self.beforeReady = beforeReady
        Task.detached {
            let phase: Phase
            do {
                phase = .open(
                    try await Self.$beingOpened.withValue(
                        Self.beingOpened + [ObjectIdentifier(self)], operation: opening))
            } catch {
                phase = .failed(error)
            }
            self.settle(phase)
        }
    }

    var readiness: Readiness { state.withLock { Self.readiness(of: $0.phase) } }

    /// The current readiness, and its changes.
    func readinessChanges() -> AsyncStream<Readiness> {
        let (stream, continuation) = AsyncStream.makeStream(of: Readiness.self)
        let number: Int? = state.withLock { state in
            continuation.yield(Self.readiness(of: state.phase))
            guard case .opening = state.phase else { return nil }
            let number = state.number()
            state.observers[number] = continuation
            return number
        }
        guard let number else {
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.observers.removeValue(forKey: number) }
        }
        return stream
    }

    /// The open store for an operation; waits or fails as the service was configured.
    func dal() throws -> DataAccessLayer {
        if let dal = try present() { return dal }
        try requireWaiting()
        let semaphore = DispatchSemaphore(value: 0)
        if register(.thread(semaphore), as: state.withLock { $0.number() }) { semaphore.wait() }
        return try outcome()
    }

    /// The open store for an operation; waiting blocks no thread.
    func dal() async throws -> DataAccessLayer {
        if let dal = try present() { return dal }
        try requireWaiting()
        return try await wait()
    }

    /// Waits for the store, also if operations are configured to fail.
    func wait() async throws -> DataAccessLayer {
        if let dal = try present() { return dal }
        try requireNotOpening()
        let number = state.withLock { $0.number() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if !register(.task(continuation), as: number) { continuation.resume() }
            }
        } onCancel: {
            cancel(number)
        }
        // The waiter may have been cancelled before it was registered, and then did not wait.
        try Task.checkCancellation()
        return try outcome()
    }

    private static func readiness(of phase: Phase) -> Readiness {
        switch phase {
        case .opening: .opening
        case .open: .ready
        case .failed(let error): .failed(PersistenceError.openingFailed(error))
        }
    }

    /// The store if it is open; throws if the opening has failed.
    private func present() throws -> DataAccessLayer? {
        switch state.withLock({ $0.phase }) {
        case .open(let dal): return dal
        case .failed(let error): throw PersistenceError.openingFailed(error)
        case .opening: return nil
        }
    }

    private func outcome() throws -> DataAccessLayer {
        guard let dal = try present() else {
            preconditionFailure("Somebody was woken before the store was opened.")
        }
        return dal
    }

    private func requireWaiting() throws {
        try requireNotOpening()
        guard beforeReady == .fail else { return }
        throw PersistenceError(
            .notReady,
            "The service was used before its store was open. Wait for ready(), or make the service with beforeReady: .wait."
        )
    }

    /// Throws in a task that is opening the store, since it would wait for itself.
    private func requireNotOpening() throws {
        guard Self.beingOpened.contains(ObjectIdentifier(self)) else { return }
        throw PersistenceError(
            .notReady,
            "The service was used by the closure that opens its store, which would wait for itself. Use the data access layer there."
        )
    }

    /// Registers a waiter; returns whether it has to wait.
    private func register(_ waiter: Waiter, as number: Int) -> Bool {
        state.withLock { state in
            guard case .opening = state.phase, state.cancelled.remove(number) == nil else {
                return false
            }
            state.waiters[number] = waiter
            return true
        }
    }

    private func cancel(_ number: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: number)
            if waiter == nil, case .opening = state.phase { state.cancelled.insert(number) }
            return waiter
        }
        if case .task(let continuation)? = waiter {
            continuation.resume(throwing: CancellationError())
        }
    }

    private func settle(_ phase: Phase) {
        let (waiters, observers) = state.withLock { state in
            defer {
                state.phase = phase
                state.waiters = [:]
                state.cancelled = []
                state.observers = [:]
            }
            return (state.waiters, state.observers)
        }
        for observer in observers.values {
            observer.yield(Self.readiness(of: phase))
            observer.finish()
        }
        for waiter in waiters.values {
            switch waiter {
            case .thread(let semaphore): semaphore.signal()
            case .task(let continuation): continuation.resume()
            }
        }
    }
}

extension PersistenceError {
    static func openingFailed(_ cause: any Error) -> PersistenceError {
        PersistenceError(
            .openingFailed,
            "The store of the service could not be opened. Make another service when the cause is removed.",
            cause: cause)
    }
}
