import SkiathosCore
import SkiathosLocks
import SkiathosStore
import Synchronization

/// Holds operations back until the store is open, and keeps the failure if it cannot be opened.
final class StoreGate: Sendable {
    /// The gates whose store the present task is opening.
    @TaskLocal private static var beingOpened: [ObjectIdentifier] = []

    typealias Outcome = Result<DataAccessLayer, PersistenceServiceError>

    /// The calls that do not wait.
    private struct Callers {
        /// Those that came before the opening has ended, in their order.
        var kept: [@Sendable (Outcome) -> Void] = []
        /// Set when all of them were answered; further ones are answered at once.
        var outcome: Outcome?
    }

    private let store = Promise<DataAccessLayer, PersistenceServiceError>()
    private let callers: Lock<Callers>
    private let beforeReady: BeforeReady

    /// Makes a gate that is open.
    init(_ dal: DataAccessLayer) {
        beforeReady = .wait
        callers = Lock(Callers(outcome: .success(dal)))
        store.complete(.success(dal))
    }

    /// Makes a gate that opens when a closure has opened the store; it runs at once.
    ///
    /// - Parameter failed: Called if the store could not be opened, before waiting calls get the
    ///   error.
    init(
        _ beforeReady: BeforeReady, opening: @escaping @Sendable () async throws -> DataAccessLayer,
        failed: @escaping @Sendable (PersistenceServiceError) -> Void
    ) {
        self.beforeReady = beforeReady
        callers = Lock(Callers())
        Task.detached {
            let outcome: Outcome
            do {
                outcome = .success(
                    try await Self.$beingOpened.withValue(
                        Self.beingOpened + [ObjectIdentifier(self)], operation: opening))
            } catch {
                let error = PersistenceServiceError.openingFailed(error)
                failed(error)
                outcome = .failure(error)
            }
            self.settle(outcome)
        }
    }

    /// Answers the calls that did not wait in their order, and then resumes those that wait, which
    /// came later.
    private func settle(_ outcome: Outcome) {
        var isSettled = false
        while !isSettled {
            let kept = callers.withLock { callers -> [@Sendable (Outcome) -> Void] in
                if callers.kept.isEmpty { callers.outcome = outcome }
                defer { callers.kept = [] }
                return callers.kept
            }
            for caller in kept { caller(outcome) }
            isSettled = kept.isEmpty
        }
        store.complete(outcome)
    }

    /// Calls back with the open store or the failure: at once if that is decided, or else when it
    /// is, in the order of the calls.
    ///
    /// - Returns: false if the service fails operations before the store is open; the closure is
    ///   not called then.
    func whenOpen(_ body: @escaping @Sendable (Outcome) -> Void) -> Bool {
        let (outcome, isAccepted) = callers.withLock { callers -> (Outcome?, Bool) in
            if let outcome = callers.outcome { return (outcome, true) }
            if beforeReady == .fail { return (nil, false) }
            callers.kept.append(body)
            return (nil, true)
        }
        if let outcome { body(outcome) }
        return isAccepted
    }

    var readiness: Readiness { store.current.map(Self.readiness) ?? .opening }

    /// The present readiness, and the one that follows `opening`.
    func readinessChanges() -> AsyncStream<Readiness> {
        let (stream, continuation) = AsyncStream.makeStream(of: Readiness.self)
        if store.current == nil { continuation.yield(.opening) }
        let observer = store.whenComplete { outcome in
            continuation.yield(Self.readiness(of: outcome))
            continuation.finish()
        }
        guard let observer else { return stream }
        continuation.onTermination = { [weak store] _ in store?.forget(observer) }
        return stream
    }

    /// The open store for an operation, which waits or fails as the service was configured.
    func dal() throws -> DataAccessLayer {
        if let outcome = store.current { return try outcome.get() }
        try requireWaiting()
        return try store.wait()
    }

    /// The open store for an operation; waiting blocks no thread.
    func dal() async throws -> DataAccessLayer {
        if let outcome = store.current { return try outcome.get() }
        try requireWaiting()
        return try await store.value()
    }

    /// Waits for the store, however the service was configured.
    func wait() async throws -> DataAccessLayer {
        if let outcome = store.current { return try outcome.get() }
        try requireNotOpening()
        return try await store.value()
    }

    private static func readiness(of outcome: Outcome) -> Readiness {
        switch outcome {
        case .success: .ready
        case .failure(let error): .failed(error)
        }
    }

    private func requireWaiting() throws {
        try requireNotOpening()
        guard beforeReady == .fail else { return }
        throw PersistenceServiceError.notReady
    }

    /// Refuses the closure that opens the store, which would wait for itself.
    private func requireNotOpening() throws {
        guard Self.beingOpened.contains(ObjectIdentifier(self)) else { return }
        throw PersistenceServiceError(
            .notReady,
            "The service was used by the closure that opens its store, which would wait for itself. Use the data access layer there."
        )
    }
}

extension PersistenceServiceError {
    static var notReady: PersistenceServiceError {
        PersistenceServiceError(
            .notReady,
            "The service was used before its store was open. Wait for ready(), or make the service with beforeReady: .wait."
        )
    }

    static func openingFailed(_ cause: any Error) -> PersistenceServiceError {
        PersistenceServiceError(
            .openingFailed,
            "The store of the service could not be opened. Make another service when the cause is removed.",
            cause: cause)
    }
}
