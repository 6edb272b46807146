import Locks
import SkiathosStore
import Synchronization

/// The value of a read that observers keep up to date; all of them share each read.
final class LiveQuery<Value: Sendable>: AnyLiveQuery {
    /// A value that observers are given, by its number: later values have greater ones.
    ///
    /// A class, so that each observer can keep the last one without a copy.
    final class Given: Sendable {
        let value: Value
        let number: Int

        init(_ value: Value, _ number: Int) {
            self.value = value
            self.number = number
        }
    }

    /// Which of the observers reads.
    let turns = LiveTurns()
    /// The observers that pause between two values.
    let pauses = Pauses()
    /// The last value; `nil` until a read has succeeded.
    ///
    /// Only the observer that reads sets it. Never held while other code is called.
    private let given = Lock<Given?>(nil)
    private let coordinator: AccessCoordinator
    private let place: SourcePlace
    private let query: @Sendable (ReadContext) throws -> Value
    private let areEqual: (@Sendable (Value, Value) -> Bool)?

    init(
        _ coordinator: AccessCoordinator, _ place: SourcePlace,
        areEqual: (@Sendable (Value, Value) -> Bool)?,
        _ query: @escaping @Sendable (ReadContext) throws -> Value
    ) {
        self.coordinator = coordinator
        self.place = place
        self.areEqual = areEqual
        self.query = query
    }

    var needsRows: Bool { false }

    func committed(_ changes: BatchChanges) { turns.committed(changes.number) }

    func end() {
        turns.end()
        pauses.end()
    }

    /// The last value, if it is a later one than an observer has.
    ///
    /// - Parameter seen: The number of the value that the observer has; 0 for none.
    func value(after seen: Int) -> Given? {
        given.withLock { given in
            guard let given, given.number > seen else { return nil }
            return given
        }
    }

    /// Whether two values count as one.
    func areSame(_ left: Value, _ right: Value) -> Bool { areEqual?(left, right) ?? false }

    /// Reads for all observers, as ``LiveTurns`` has told one of them to.
    ///
    /// - Parameter seen: The number of the value that this observer has; 0 for none.
    /// - Throws: the error of a first read.
    func read(after seen: Int) async throws {
        let notifier = coordinator.main.observers
        let start = notifier.live.beginRead(notifier)
        turns.began(at: start)
        let tracker = ReadTracker()
        do {
            // The value is kept inside the read: the task of the observer would keep the memory for
            // values in the frames of each function that returned it.
            let number = try await coordinator.read(place) { context in
                context.track(tracker)
                return keep(try query(context))
            }
            let isOutdated = endRead(start, tracker, isComplete: true)
            turns.succeeded(with: number, at: start, isOutdated: isOutdated)
        } catch {
            try fail(error, endRead(start, tracker, isComplete: false), after: seen)
        }
    }

    /// Observes what was read; returns whether a commit may have changed it meanwhile.
    private func endRead(_ start: UInt64, _ tracker: ReadTracker, isComplete: Bool) -> Bool {
        let notifier = coordinator.main.observers
        return notifier.live.endRead(
            self, start, tracker.dependencies(in: coordinator.store.schema),
            isComplete: isComplete, notifier, coordinator.commits)
    }

    /// Keeps a value unless it is the same as the last one; returns the number of that which is kept.
    ///
    /// A read that fails after this keeps its number to itself: the next one has it or a later one.
    private func keep(_ value: Value) -> Int {
        let last = given.withLock { $0 }
        if let last, areSame(last.value, value) { return last.number }
        let number = (last?.number ?? 0) + 1
        given.withLock { $0 = Given(value, number) }
        return number
    }

    private func fail(_ error: any Error, _ isOutdated: Bool, after seen: Int) throws {
        let isCancelled = error is CancellationError && Task.isCancelled
        turns.failed(isDue: isCancelled || isOutdated)
        if isCancelled { return }
        let isClosed = (error as? DataAccessError)?.code == .closed
        if !isClosed, value(after: 0) != nil {
            coordinator.reportFailure(BackgroundFailure(operation: .observation, error: error))
        }
        if seen == 0 { throw error }
    }
}
