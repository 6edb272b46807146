import SkiathosStore

/// The rows of a query, first as they are and then after each change, from `observe`.
///
/// ```swift
/// for try await adults in dal.observe(User.where { $0.age >= 18 }) { print(adults.count) }
/// ```
///
/// All observers of equal queries share one read and one result. ``differences`` tells what has
/// changed instead.
public struct ObservedQuery<E: Entity>: AsyncSequence, Sendable {
    let values: ObservedValues<[E]>
    /// The rows as differences, each of which leads from the list before to the next one.
    ///
    /// ```swift
    /// var users: [User] = []
    /// for try await difference in dal.observe(User.order { $0.age }).differences {
    ///     difference.apply(to: &users)
    /// }
    /// // after a commit that has changed one user, the list is not read again
    /// ```
    ///
    /// A difference is computed from the changed rows where the query has no limit and no offset, its
    /// sort keys are columns of the entity other than decimal numbers, and its condition is one on
    /// such columns too; and after writes that change objects. Otherwise the list is read and
    /// compared.
    public let differences: ListDifferences<E>

    /// Creates an iterator, which reads when its first value is requested.
    public func makeAsyncIterator() -> ObservedValues<[E]>.Iterator {
        values.makeAsyncIterator()
    }
}
