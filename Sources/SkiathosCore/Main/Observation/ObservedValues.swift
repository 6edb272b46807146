/// The values of a read, first as they are and then after each change, from `observe`.
///
/// ```swift
/// for try await count in dal.observe({ try User.count(in: $0) }) { print(count) }
/// // SELECT COUNT(*) FROM "user", again after each commit that has touched users
/// ```
///
/// Each iterator reads for itself. One that is released, or whose task is cancelled, keeps
/// nothing; until then it keeps the store open.
public struct ObservedValues<Value: Sendable>: AsyncSequence, Sendable {
    let coordinator: AccessCoordinator
    let place: SourcePlace
    let query: @Sendable (ReadContext) throws -> Value
    let areEqual: (@Sendable (Value, Value) -> Bool)?

    /// Creates an iterator, which reads when its first value is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(self) }

    /// Reads the value again whenever it may have changed.
    public struct Iterator: AsyncIteratorProtocol {
        /// `nil` at the end.
        private var source: ObservationSource<Value>?
        private var last: Value?

        init(_ sequence: ObservedValues) { source = ObservationSource(sequence) }

        /// Returns the present value at first, then waits until there is another one.
        ///
        /// - Returns: `nil` when the data access layer is closed or the task cancelled.
        /// - Throws: What the first read throws. The errors of later ones are reported to the
        ///   error handler of the configuration, and the value is read again at the next
        ///   change.
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
