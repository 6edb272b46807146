#if canImport(Observation)
import SkiathosLocks
public import Observation
import Synchronization

/// The latest value of an observed sequence, as an object that the Observation framework tracks.
///
/// ```swift
/// @MainActor final class Board {
///     let items: LiveValue<[Item]>
///     init(_ dal: DataAccessLayer) { items = LiveValue(dal.observe(Item.where { !$0.isDone })) }
/// }
/// // A view that reads board.items.value is drawn again after each change.
/// ```
///
/// It can be read from any thread, and is tied to none. It changes on the actor that has made it, so
/// on the main actor for a user interface, and on a thread of the tasks' pool where there is none.
///
/// A sequence that ends leaves the last value. The observation ends when the object is released; until
/// then it keeps the store open.
public final class LiveValue<Value: Sendable>: Observable, Sendable {
    private struct State {
        var value: Value?
        var hasValue = false
        var failure: (any Error)?
        var hasEnded = false
    }

    /// Never held while trackers are notified.
    private let state = Lock(State())
    /// The loop; set once, by the initialiser.
    private let loop = Lock<Task<Void, Never>?>(nil)
    private let registrar = ObservationRegistrar()

    /// Observes a sequence.
    ///
    /// - Parameters:
    ///   - sequence: The sequence, such as `dal.observe(id)`.
    ///   - isolation: The actor on which the value changes; by default that of the caller.
    public init<Values: AsyncSequence & Sendable>(
        _ sequence: Values, isolation: isolated (any Actor)? = #isolation
    ) where Values.Element == Value {
        let task = Task { [weak self] in
            // Named here, so that the task runs on it.
            _ = isolation
            do {
                for try await value in sequence { self?.receive(value) }
                self?.end(nil)
            } catch {
                self?.end(error)
            }
        }
        loop.withLock { $0 = task }
    }

    deinit { loop.withLock { $0 }?.cancel() }

    /// The last value; `nil` until there is one.
    public var value: Value? {
        registrar.access(self, keyPath: \.value)
        return state.withLock { $0.value }
    }

    /// Whether there is a value, which may itself be `nil`, as that of a row that does not exist.
    public var hasValue: Bool {
        registrar.access(self, keyPath: \.hasValue)
        return state.withLock { $0.hasValue }
    }

    /// The error with which the sequence has ended; `nil` if it goes on, or has ended without one.
    ///
    /// Errors of reads after the first are not among them: they are reported to
    /// `Configuration.errorHandler`, and the sequence continues.
    public var failure: (any Error)? {
        registrar.access(self, keyPath: \.failure)
        return state.withLock { $0.failure }
    }

    /// Whether no value follows, since the sequence has failed or the store was closed.
    public var hasEnded: Bool {
        registrar.access(self, keyPath: \.hasEnded)
        return state.withLock { $0.hasEnded }
    }

    // A tracker that reads between a change and its notification is notified once too often, and one
    // that reads after its notification finds the change, on whatever thread.

    private func receive(_ value: Value) {
        let isFirst = state.withLock { state in
            defer {
                state.value = value
                state.hasValue = true
            }
            return !state.hasValue
        }
        registrar.withMutation(of: self, keyPath: \.value) {}
        if isFirst { registrar.withMutation(of: self, keyPath: \.hasValue) {} }
    }

    private func end(_ error: (any Error)?) {
        state.withLock { state in
            state.failure = error
            state.hasEnded = true
        }
        if error != nil { registrar.withMutation(of: self, keyPath: \.failure) {} }
        registrar.withMutation(of: self, keyPath: \.hasEnded) {}
    }
}
#endif
