import SkiathosStore

/// The values of a read, first as they are and then after each change; see
/// ``DataAccessLayer/observe(_:file:line:)-(_)->ObservedValues<T>``.
///
/// Each iterator reads for itself. One that is given up, or whose task is cancelled, leaves nothing
/// behind; until then it keeps the store open.
public struct ObservedValues<Value: Sendable>: AsyncSequence, Sendable {
    let coordinator: AccessCoordinator
    let place: SourcePlace
    let query: @Sendable (ReadContext) throws -> Value
    let areEqual: (@Sendable (Value, Value) -> Bool)?

    /// Makes an iterator, which reads when it is asked for its first value.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Reads the value anew whenever it may have changed.
    public struct Iterator: AsyncIteratorProtocol {
        /// `nil` at the end.
        private var source: Source<Value>?
        private var last: Value?

        init(_ sequence: ObservedValues) { source = Source(sequence) }

        /// Returns the present value at first, then waits until there is another one.
        ///
        /// - Returns: `nil` when the data access layer is closed or the task cancelled.
        /// - Throws: What the first read throws. The errors of later ones go to the error handler of the
        ///   configuration, and the value is read again at the next change.
        public mutating func next() async throws -> Value? {
            guard let source else { return nil }
            do {
                let value = try await source.next(after: last)
                if value == nil { self.source = nil }
                last = value
                return value
            } catch {
                self.source = nil
                throw error
            }
        }
    }
}

/// What an iterator has in the store.
final class Source<Value: Sendable>: Sendable {
    private let sequence: ObservedValues<Value>
    private let signal = ObservationSignal()

    init(_ sequence: ObservedValues<Value>) { self.sequence = sequence }

    deinit { sequence.coordinator.rootWriter.changes.remove(signal) }

    /// The next value that differs from the last one; without a last one, the present value.
    func next(after last: Value?) async throws -> Value? {
        if last == nil {
            // A store that is closed already refuses the read.
            _ = sequence.coordinator.rootWriter.listen(signal)
            do {
                return try await read()
            } catch is CancellationError where Task.isCancelled {
                return nil
            }
        }
        while await signal.wait() {
            do {
                let value = try await read()
                if let areEqual = sequence.areEqual, let last, areEqual(last, value) { continue }
                return value
            } catch let error as DataAccessError where error.code == .closed {
                return nil
            } catch is CancellationError where Task.isCancelled {
                return nil
            } catch {
                sequence.coordinator.reportFailure(
                    BackgroundFailure(operation: .observation, error: error))
            }
        }
        return nil
    }

    private func read() async throws -> Value {
        signal.beginRead()
        let tracker = ReadTracker()
        do {
            let value = try await sequence.coordinator.read(sequence.place) {
                [query = sequence.query] context in
                context.track(tracker)
                return try query(context)
            }
            signal.endRead(tracker.entities, hasFailed: false)
            return value
        } catch {
            signal.endRead(tracker.entities, hasFailed: true)
            throw error
        }
    }
}
