/// Thrown by a transform to leave out one source value, with a reason.
///
/// ```swift
/// let created = try await service.create(User.self, from: lines, saving: .store) { line in
///     guard let name = line.name else { throw TransformRefusal("has no name") }
///     return User(name: name)
/// }
/// print(created.refused.map(\.index))
/// ```
public struct TransformRefusal: Error, Sendable, Hashable {
    /// The reason.
    public let reason: String

    /// Refuses a value.
    public init(_ reason: String) { self.reason = reason }
}

/// A source value that a transform has refused.
public struct RefusedSource: Sendable, Hashable {
    /// The position of the value among the source values, from 0.
    public let index: Int
    /// The reason, if the transform has given one.
    public let reason: String?

    /// Makes a refusal, for tests of code that takes one.
    public init(index: Int, reason: String? = nil) {
        self.index = index
        self.reason = reason
    }
}

/// The result of creating many.
public struct Created<Value: Sendable>: Sendable {
    /// The new values with their final IDs, in the order of their sources.
    public let values: [Value]
    /// The sources that were left out.
    public let refused: [RefusedSource]

    /// Makes a result, for tests of code that takes one.
    public init(values: [Value], refused: [RefusedSource] = []) {
        self.values = values
        self.refused = refused
    }
}
