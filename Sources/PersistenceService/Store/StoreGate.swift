import Locks
import SkiathosCore
import SkiathosStore

/// Holds operations back until the store is open, and keeps the failure if it cannot be opened.
final class StoreGate: Sendable {
    /// The gates whose store the present task is opening.
    @TaskLocal private static var beingOpened: [ObjectIdentifier] = []

    private let store = Promise<DataAccessLayer, PersistenceError>()
    private let beforeReady: BeforeReady

    /// Makes a gate that is open.
    init(_ dal: DataAccessLayer) {
        beforeReady = .wait
        store.complete(.success(dal))
    }

    /// Makes a gate that opens when a closure has opened the store; it runs at once.
    init(
        _ beforeReady: BeforeReady, opening: @escaping @Sendable () async throws -> DataAccessLayer
    ) {
        self.beforeReady = beforeReady
        Task.detached {
            let outcome: Result<DataAccessLayer, PersistenceError>
            do {
                outcome = .success(
                    try await Self.$beingOpened.withValue(
                        Self.beingOpened + [ObjectIdentifier(self)], operation: opening))
            } catch {
                outcome = .failure(.openingFailed(error))
            }
            self.store.complete(outcome)
        }
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

    private static func readiness(
        of outcome: Result<DataAccessLayer, PersistenceError>
    ) -> Readiness {
        switch outcome {
        case .success: .ready
        case .failure(let error): .failed(error)
        }
    }

    private func requireWaiting() throws {
        try requireNotOpening()
        guard beforeReady == .fail else { return }
        throw PersistenceError(
            .notReady,
            "The service was used before its store was open. Wait for ready(), or make the service with beforeReady: .wait."
        )
    }

    /// Refuses the closure that opens the store, which would wait for itself.
    private func requireNotOpening() throws {
        guard Self.beingOpened.contains(ObjectIdentifier(self)) else { return }
        throw PersistenceError(
            .notReady,
            "The service was used by the closure that opens its store, which would wait for itself. Use the data access layer there."
        )
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
