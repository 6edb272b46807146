import SkiathosLocks
import Synchronization

@testable import ServiceLocator

/// What happened, in order, by whichever thread.
final class Log: Sendable {
    private let state = Lock<[String]>([])

    func add(_ entry: String) { state.withLock { $0.append(entry) } }

    var entries: [String] { state.withLock { $0 } }

    var count: Int { entries.count }
}

/// Lets tasks wait until it is opened.
final class AsyncGate: Sendable {
    private let promise = Promise<Void, ServiceLocatorError>()

    func open() { promise.complete(.success(())) }

    func wait() async throws { try await promise.value() }

    /// Blocks the thread.
    func block() { _ = try? promise.wait() }
}
