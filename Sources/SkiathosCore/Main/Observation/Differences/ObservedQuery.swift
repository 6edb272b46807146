import SkiathosStore

/// The rows of a query, first as they are and then after each change, from `observe`.
///
/// ```swift
/// for try await adults in dal.observe(User.where { $0.age >= 18 }) { print(adults.count) }
/// ```
///
/// All observers of equal queries share one read and one result. ``differences`` tells what has
/// changed instead.
///
/// The list after a commit is computed from the last one and the changed rows, under the conditions of
/// ``differences``; without sort keys also just if no row has come, and if no row differs in a column
/// that has an index or is part of the condition. A store in memory, and more than 1,000 changed rows,
/// lead to a read. The result is the same; a new array costs a copy of the last one.
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
