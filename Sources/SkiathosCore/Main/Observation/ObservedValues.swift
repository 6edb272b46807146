import SkiathosStore

/// The values of a read, first as they are and then after each change, from `observe`.
///
/// ```swift
/// for try await count in dal.observe({ try User.count(in: $0) }) { print(count) }
/// // SELECT COUNT(*) FROM "user", again after each commit that has inserted or deleted users
/// ```
///
/// Observers of equal queries share one read and one result. An iterator that is released, or whose
/// task is cancelled, keeps nothing; until then it keeps the store open.
public struct ObservedValues<Value: Sendable>: AsyncSequence, Sendable {
    private let coordinator: AccessCoordinator
    private let key: SharedQuery?
    private let pace: Duration?
    private let make: @Sendable () -> LiveQuery<Value>

    /// - Parameters:
    ///   - key: What equal queries have in common; `nil` for a read that no other observer shares.
    ///   - pace: The shortest time between two values.
    ///   - succession: How a value follows from the one before; `nil` if each has to be read.
    init(
        _ coordinator: AccessCoordinator, _ place: SourcePlace, key: SharedQuery? = nil,
        pace: Duration?, areEqual: (@Sendable (Value, Value) -> Bool)?,
        succession: @escaping @Sendable () -> ValueSuccession<Value>? = { nil },
        _ query: @escaping @Sendable (ReadContext) throws -> Value
    ) {
        self.coordinator = coordinator
        self.key = key
        self.pace = pace
        make = {
            LiveQuery(coordinator, place, areEqual: areEqual, succession: succession(), query)
        }
    }

    /// Creates an iterator, which reads when its first value is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    fileprivate func observer() -> LiveObserver<Value> {
        let query = coordinator.main.join(key, make)
        return LiveObserver(query, coordinator, pace: pace)
    }

    /// Returns the present value, and then each other one.
    public struct Iterator: AsyncIteratorProtocol {
        private let sequence: ObservedValues
        /// `nil` before the first value and at the end.
        private var observer: LiveObserver<Value>?
        private var hasBegun = false

        init(_ sequence: ObservedValues) { self.sequence = sequence }

        /// Returns the present value at first, then waits until there is another one.
        ///
        /// - Returns: `nil` when the data access layer is closed or the task cancelled.
        /// - Throws: What the first read throws. The errors of later ones are reported to the
        ///   error handler of the configuration, and the value is read again at the next
        ///   change. An error with the code `newerStore` ends the sequence: another process has migrated
        ///   the store, which is open for reading only.
        public mutating func next() async throws -> Value? {
            if !hasBegun {
                hasBegun = true
                observer = sequence.observer()
            }
            guard let observer else { return nil }
            if let end = observer.pauseEnd, !(await observer.query.pauses.pause(until: end)) {
                self.observer = nil
                return nil
            }
            // In this function, and not in one of the observer: each that waits keeps a frame, and
            // that of the next one has room for a value.
            while true {
                switch await observer.query.turns.next(after: observer.seen, observer.notifier) {
                case .take: if let value = observer.take() { return value }
                case .look: continue
                case .end:
                    self.observer = nil
                    if let failure = observer.query.failure, !Task.isCancelled { throw failure }
                    return nil
                case .read(let commit):
                    do {
                        try await observer.query.read(after: observer.seen, including: commit)
                    } catch {
                        self.observer = nil
                        throw error
                    }
                    if let value = observer.take() { return value }
                    if Task.isCancelled || observer.query.turns.isEnded {
                        self.observer = nil
                        return nil
                    }
                }
            }
        }
    }
}

/// What equal queries have in common, so that their observers share one read.
struct SharedQuery: Hashable, Sendable {
    /// The type of the value.
    let type: ObjectIdentifier
    /// The requests of its rows, in order.
    let requests: [FetchRequest]
}
