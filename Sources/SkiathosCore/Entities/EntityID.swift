public import SkiathosStore

/// The identity of one entity of a type.
///
/// IDs of different entities are different types, so they cannot be mixed up.
///
/// ```swift
/// let ada: User.ID = try dal.write { try User.create(in: $0) { $0.firstname = "Ada" }.id }
/// ```
@frozen
public struct EntityID<E: Entity>: Hashable, Sendable {
    /// The key as it is stored.
    public let rawValue: E.RawID

    /// Makes the ID with a key.
    @inlinable public init(rawValue: E.RawID) { self.rawValue = rawValue }

    /// The ID of a value that was not given an ID yet.
    ///
    /// `insert` replaces it where keys are generated, and refuses it where they are not.
    @inlinable public static var unassigned: EntityID { EntityID(rawValue: .unassigned) }
}

extension EntityID where E.RawID == Int64 {
    /// The ID with a number from outside the store.
    ///
    /// ```swift
    /// try User.find(User.ID(number), in: context)
    /// ```
    ///
    /// - Parameter number: A number from −2⁶³ to 2⁶³ − 1; the program ends for another one.
    @inlinable public init(_ number: some BinaryInteger) {
        guard let key = Int64(exactly: number) else {
            preconditionFailure("The number of an ID is larger or smaller than any key can be.")
        }
        rawValue = key
    }
}

extension EntityID where E.RawID: StringProtocol {
    /// The ID with a text from outside the store.
    @inlinable public init(_ text: E.RawID) { rawValue = text }
}

extension EntityID {
    /// Compares the keys as the store does: texts by their bytes.
    @inlinable public static func == (left: EntityID, right: EntityID) -> Bool {
        left.rawValue.identity == right.rawValue.identity
    }

    /// Hashes the part of the key that is compared.
    @inlinable public func hash(into hasher: inout Hasher) {
        hasher.combine(rawValue.identity)
    }

    /// Exists only for its diagnostic: without this overload the compiler has none inside a
    /// closure.
    @available(*, unavailable, message: "the IDs of different entities cannot be compared.")
    public static func == <Other: Entity>(left: EntityID, right: EntityID<Other>) -> Bool { false }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "the IDs of different entities cannot be compared.")
    public static func != <Other: Entity>(left: EntityID, right: EntityID<Other>) -> Bool { true }
}

extension EntityID: ColumnValue {
    /// The key's storage class.
    @inlinable public static var storage: StorageClass { E.RawID.storage }
    /// The entity.
    @inlinable public static var referencedType: Any.Type? { E.self }
    /// The key's domain.
    @inlinable public static var domain: ColumnDomain { E.RawID.domain }
    /// Reads the key.
    @inlinable public init(row: RowReader, column: Int) throws {
        rawValue = try E.RawID(row: row, column: column)
    }
    /// Binds the key.
    @inlinable public func bind(to parameters: ParameterWriter, at position: Int) throws {
        try rawValue.bind(to: parameters, at: position)
    }
    /// Compares the keys as they are stored.
    @inlinable public func isIdentical(to other: EntityID) -> Bool {
        rawValue.isIdentical(to: other.rawValue)
    }
}

extension EntityID: WrappingColumnValue {
    package static var wrapped: any ColumnValue.Type { E.RawID.self }
}

extension EntityID: CustomStringConvertible {
    /// The key.
    public var description: String { "\(rawValue)" }
}

extension EntityID: Comparable where E.RawID.Identity: Comparable {
    /// Compares the keys as the store does: texts by their bytes.
    @inlinable public static func < (left: EntityID, right: EntityID) -> Bool {
        left.rawValue.identity < right.rawValue.identity
    }
}

extension EntityID: Encodable where E.RawID: Encodable {
    /// Encodes the key alone.
    public func encode(to encoder: any Encoder) throws { try rawValue.encode(to: encoder) }
}

extension EntityID: Decodable where E.RawID: Decodable {
    /// Decodes the key alone.
    public init(from decoder: any Decoder) throws {
        rawValue = try E.RawID(from: decoder)
    }
}

extension EntityID: ExpressibleByIntegerLiteral where E.RawID: ExpressibleByIntegerLiteral {
    /// The ID with a literal key, as in `User.find(42, in: context)`.
    @inlinable public init(integerLiteral value: E.RawID.IntegerLiteralType) {
        rawValue = E.RawID(integerLiteral: value)
    }
}

extension EntityID: ExpressibleByUnicodeScalarLiteral
where E.RawID: ExpressibleByUnicodeScalarLiteral {
    /// The ID with a literal key.
    @inlinable public init(unicodeScalarLiteral value: E.RawID.UnicodeScalarLiteralType) {
        rawValue = E.RawID(unicodeScalarLiteral: value)
    }
}

extension EntityID: ExpressibleByExtendedGraphemeClusterLiteral
where E.RawID: ExpressibleByExtendedGraphemeClusterLiteral {
    /// The ID with a literal key.
    @inlinable public init(
        extendedGraphemeClusterLiteral value: E.RawID.ExtendedGraphemeClusterLiteralType
    ) {
        rawValue = E.RawID(extendedGraphemeClusterLiteral: value)
    }
}

extension EntityID: ExpressibleByStringLiteral where E.RawID: ExpressibleByStringLiteral {
    /// The ID with a literal key, as in `Country.find("GR", in: context)`.
    @inlinable public init(stringLiteral value: E.RawID.StringLiteralType) {
        rawValue = E.RawID(stringLiteral: value)
    }
}
