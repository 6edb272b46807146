import SkiathosLocks
import SkiathosStore
import Synchronization

/// The value of a read that observers keep up to date; all of them share each read.
///
/// Where a value follows from the one before and the changed rows, it is computed instead.
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
    /// The error after which no read can succeed any more; set once, before observers are told of the end.
    private let lastFailure = Lock<StoreError?>(nil)
    private let coordinator: AccessCoordinator
    private let place: SourcePlace
    private let query: @Sendable (ReadContext) throws -> Value
    private let areEqual: (@Sendable (Value, Value) -> Bool)?
    private let succession: ValueSuccession<Value>?

    init(
        _ coordinator: AccessCoordinator, _ place: SourcePlace,
        areEqual: (@Sendable (Value, Value) -> Bool)?, succession: ValueSuccession<Value>?,
        _ query: @escaping @Sendable (ReadContext) throws -> Value
    ) {
        self.coordinator = coordinator
        self.place = place
        self.areEqual = areEqual
        self.succession = succession
        self.query = query
    }

    var needsRows: Bool { succession != nil }

    func committed(_ changes: BatchChanges) {
        // Before an observer is told to look at them.
        succession?.changes.committed(changes)
        turns.committed(changes.number)
    }

    func end() {
        turns.end()
        pauses.end()
    }

    /// The error with which all observers end; `nil` if the query goes on, or the store was closed.
    var failure: StoreError? { lastFailure.withLock { $0 } }

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

    /// Reads for all observers, as ``LiveTurns`` has told one of them to, or computes the value.
    ///
    /// - Parameters:
    ///   - seen: The number of the value that this observer has; 0 for none.
    ///   - commit: The commit that the value has to contain, and those before.
    /// - Throws: the error of a first read, and one after which no read can succeed.
    func read(after seen: Int, including commit: UInt64) async throws {
        let notifier = coordinator.main.observers
        if compute(including: commit, notifier) { return }
        succession?.changes.beginRead()
        let start = notifier.live.beginRead(notifier)
        let tracker = ReadTracker()
        do {
            // The value is kept inside the read: the task of the observer would keep the memory for
            // values in the frames of each function that returned it.
            let (number, version) = try await coordinator.read(place) { context in
                context.track(tracker)
                let version =
                    succession == nil ? nil : try context.query { $0.committedVersion }
                return (keep(try query(context)), version)
            }
            let isOutdated = endRead(start, tracker, isComplete: true)
            succession?.changes.endRead(version, at: start, isOutdated: isOutdated)
            turns.succeeded(with: number, at: start, isOutdated: isOutdated)
        } catch {
            let isOutdated = endRead(start, tracker, isComplete: false)
            succession?.changes.failRead()
            try fail(error, at: start, isOutdated, after: seen)
        }
    }

    /// Computes the value from the last one and the changed rows; returns whether that was possible.
    private func compute(including commit: UInt64, _ notifier: CommitNotifier) -> Bool {
        // Observers are notified of a commit some time after its write has returned. Asked before the
        // rows are taken, among which are then all that were changed before.
        let minimum = notifier.isCaughtUp ? 0 : commit
        guard let succession, let last = given.withLock({ $0 }),
            let (rows, commit) = succession.changes.take(including: minimum)
        else { return false }
        var number = last.number
        do {
            if let value = try succession.next(last.value, rows) {
                number += 1
                given.withLock { $0 = Given(value, number) }
            }
        } catch {
            // Reading tells the value, or why there is none.
            return false
        }
        turns.succeeded(with: number, at: commit, isOutdated: false)
        return true
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

    private func fail(
        _ error: any Error, at start: UInt64, _ isOutdated: Bool, after seen: Int
    ) throws {
        let isCancelled = error is CancellationError && Task.isCancelled
        turns.failed(at: start, isDue: isCancelled || isOutdated)
        if isCancelled { return }
        if let error = error as? StoreError, error.code == .newerStore {
            lastFailure.withLock { $0 = error }
            end()
            throw error
        }
        let isClosed = (error as? DataAccessError)?.code == .closed
        if !isClosed, value(after: 0) != nil {
            coordinator.reportFailure(BackgroundFailure(operation: .observation, error: error))
        }
        if seen == 0 { throw error }
    }
}
