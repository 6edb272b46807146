import SkiathosStore

/// Collects the failed requirements of an entity's values; see ``Entity/validate(_:)``.
///
/// ```swift
/// func validate(_ validation: inout Validation<User>) {
///     validation.require(\.age, (0...150).contains(age), "must lie between 0 and 150")
///     validation.require(\.email, \.phone, email != nil || phone != nil, "one of them is needed")
///     validation.require(!isOwner || company != nil, "An owner needs a company.")
/// }
/// ```
///
/// Sentences are literals, so no value of a row can get into an error.
public struct Validation<E: Entity> {
    /// The failed requirements, in their order.
    public private(set) var failures: [ValidationFailure] = []
    /// Whether the entity has no requirements at all.
    private(set) var isDefault = false

    /// Makes one without failures, also for tests of an entity's requirements.
    ///
    /// ```swift
    /// var validation = Validation<User>()
    /// User(id: .unassigned, age: 200).validate(&validation)
    /// #expect(validation.failures.first?.properties == ["age"])
    /// ```
    public init() {}

    /// Requires a condition of one property.
    ///
    /// - Parameters:
    ///   - property: The property that the error names. One that is not a column has no name
    ///     in the error; name those that it is computed from.
    ///   - condition: Whether its value is right.
    ///   - sentence: What is expected of it; a literal, since it holds no values.
    @inlinable
    public mutating func require(
        _ property: PartialKeyPath<E>, _ condition: Bool, _ sentence: StaticString
    ) {
        if !condition { fail([property], sentence) }
    }

    /// Requires a condition of two properties together.
    @inlinable
    public mutating func require(
        _ first: PartialKeyPath<E>, _ second: PartialKeyPath<E>, _ condition: Bool,
        _ sentence: StaticString
    ) {
        if !condition { fail([first, second], sentence) }
    }

    /// Requires a condition of any number of properties together.
    @inlinable
    public mutating func require(
        _ properties: [PartialKeyPath<E>], _ condition: Bool, _ sentence: StaticString
    ) {
        if !condition { fail(properties, sentence) }
    }

    /// Requires a condition of the entity as a whole.
    @inlinable
    public mutating func require(_ condition: Bool, _ sentence: StaticString) {
        if !condition { fail([], sentence) }
    }

    @usableFromInline @inline(never)
    mutating func fail(_ properties: [PartialKeyPath<E>], _ sentence: StaticString) {
        let columns = properties.compactMap { E.column(at: $0) }
        failures.append(
            ValidationFailure(
                entity: E.schema.table, properties: columns.map { E.schema.columns[$0].name },
                message: "\(sentence)"))
    }

    /// Returns the failures so far, and starts over.
    mutating func takeFailures() -> [ValidationFailure] {
        defer { failures = [] }
        return failures
    }

    /// Records that the entity has no requirements.
    mutating func beDefault() { isDefault = true }
}

@available(*, unavailable)
extension Validation: Sendable {}
