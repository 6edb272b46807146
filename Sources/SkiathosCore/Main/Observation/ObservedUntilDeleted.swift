extension ObservedValues {
    /// The values up to the deletion of the row, which ends the sequence.
    ///
    /// ```swift
    /// for try await user in dal.observe(id).untilDeleted() { print(user.name) }
    /// print("deleted")
    /// ```
    public func untilDeleted<E: Entity>() -> ObservedUntilDeleted<E> where Value == E? {
        ObservedUntilDeleted(values: self)
    }
}

/// The values of a row until it is deleted; see ``ObservedValues/untilDeleted()``.
public struct ObservedUntilDeleted<E: Entity>: AsyncSequence, Sendable {
    let values: ObservedValues<E?>

    /// Creates an iterator, which reads when its first value is requested.
    public func makeAsyncIterator() -> Iterator { Iterator(values: values.makeAsyncIterator()) }

    /// Returns the present value, and then each other one.
    public struct Iterator: AsyncIteratorProtocol {
        /// `nil` at the end.
        fileprivate var values: ObservedValues<E?>.Iterator?

        /// Returns the present value at first, then waits until there is another one.
        ///
        /// - Returns: `nil` when the row does not exist, the data access layer is closed or the task
        ///   cancelled.
        /// - Throws: What the first read throws.
        public mutating func next() async throws -> E? {
            guard let value = try await values?.next() ?? nil else {
                values = nil
                return nil
            }
            return value
        }
    }
}
