#if RequestCore
import SkiathosLocks
import Synchronization

/// Sends values to all listeners; a slow listener gets only the newest.
final class Broadcast<Value: Sendable>: Sendable {
    private struct State {
        var next = 0
        var listeners: [Int: AsyncStream<Value>.Continuation] = [:]
        var isFinished = false
    }

    private let bufferSize: Int
    private let state = Lock(State())

    init(bufferSize: Int) { self.bufferSize = bufferSize }

    deinit { finish() }

    /// A stream of what is published from now on, after a first value if there is one.
    func listen(first: Value? = nil) -> AsyncStream<Value> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Value.self, bufferingPolicy: .bufferingNewest(bufferSize))
        let number: Int? = state.withLock { state in
            guard !state.isFinished else { return nil }
            state.next += 1
            state.listeners[state.next] = continuation
            if let first { continuation.yield(first) }
            return state.next
        }
        guard let number else {
            if let first { continuation.yield(first) }
            continuation.finish()
            return stream
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { $0.listeners[number] = nil }
        }
        return stream
    }

    func publish(_ value: Value) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { listener.yield(value) }
    }

    /// Ends all streams, later ones included.
    func finish() {
        let listeners = state.withLock { state in
            state.isFinished = true
            defer { state.listeners = [:] }
            return Array(state.listeners.values)
        }
        for listener in listeners { listener.finish() }
    }
}
#endif
