/// A type that is valid in one write alone: an object, or a value that holds objects.
///
/// The conformances only let the compiler refuse a write that would return such a value.
public protocol BoundToWrite {}

/// A value that holds objects of a write.
public protocol HoldsObjects: BoundToWrite {}

extension Managed: BoundToWrite {}
extension Optional: BoundToWrite, HoldsObjects where Wrapped: BoundToWrite {}
extension Array: BoundToWrite, HoldsObjects where Element: BoundToWrite {}
extension ArraySlice: BoundToWrite, HoldsObjects where Element: BoundToWrite {}
extension Dictionary: BoundToWrite, HoldsObjects where Value: BoundToWrite {}
extension Result: BoundToWrite, HoldsObjects where Success: BoundToWrite {}
extension LookupResult: BoundToWrite, HoldsObjects where Element: BoundToWrite {}

// A closure of a single expression can always be read as one without a result. An overload
// that is unavailable, or whose requirement is, ranks last, so the compiler would rather
// discard an array of objects than report that it cannot be returned. An unavailable *getter*
// does not count when overloads are ranked: the property wins, and is refused then.

/// The type of `write` where its closure returns objects inside another value.
///
/// It has no instance: the compiler refuses to get one, and reports why. Its parameters are
/// those of a closure beside the context. A call returns another one, so that it can stand
/// wherever a `Sendable` result can.
public struct RefusedResult<each Argument>: Sendable {
    private init() {}

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: HoldsObjects>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> T
    ) throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: HoldsObjects>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> T
    ) async throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, B>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (T, B)
    ) throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, B>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (T, B)
    ) async throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, A>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (A, T)
    ) throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, A>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (A, T)
    ) async throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, B, C>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (T, B, C)
    ) throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, B, C>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (T, B, C)
    ) async throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, A, C>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (A, T, C)
    ) throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, A, C>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (A, T, C)
    ) async throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, A, B>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (A, B, T)
    ) throws -> RefusedResult { refuse() }

    /// Is never called.
    @discardableResult
    public func callAsFunction<T: BoundToWrite, A, B>(
        as name: String? = nil, by author: String? = nil,
        acknowledging level: Acknowledgement? = nil, budget: QueryBudget? = nil,
        _ body: (WriteContext, repeat each Argument) throws -> (A, B, T)
    ) async throws -> RefusedResult { refuse() }

    private func refuse() -> Never {
        preconditionFailure("A write that the compiler refuses was called.")
    }
}
