import SkiathosStore

/// The signal and the reads of one iterator of an observation.
final class ObservationSource<Value: Sendable>: Sendable {
    private let sequence: ObservedValues<Value>
    private let signal = ObservationSignal()

    init(_ sequence: ObservedValues<Value>) { self.sequence = sequence }

    deinit { sequence.coordinator.main.remove(signal) }

    /// The next value that differs from the last one; without a last one, the present value.
    func next(after last: Value?) async throws -> Value? {
        if last == nil {
            // A closed store refuses the read.
            _ = sequence.coordinator.commits.listen(signal)
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
