public import SkiathosCore
public import SkiathosStore

/// A change that cannot be saved without a decision, since the same was changed elsewhere.
///
/// Values are reached here and are never part of a message.
public struct Conflict: Sendable, Hashable {
    /// How the two sides differ.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Both have given one column other values, and not the same.
        case bothChanged
        /// The row was changed here and deleted there.
        case deletedThere
        /// The row was deleted here and changed there.
        case deletedHere
    }

    /// How the two sides differ.
    public let kind: Kind
    /// The name of the entity's type.
    public let entity: String
    /// The ID of the row as it is stored.
    public let id: StoreValue
    /// The name of the column, for ``Kind/bothChanged``.
    public let column: String?
    /// What the column held when the service first saw the row.
    public let base: StoreValue?
    /// What it holds in the service.
    public let mine: StoreValue?
    /// What it holds where the change is saved to.
    public let theirs: StoreValue?

    let type: ObjectIdentifier
    let rows: Rows

    struct Rows: Sendable, Hashable {
        let base: [StoreValue]?
        let mine: [StoreValue]?
        let theirs: [StoreValue]?
    }

    /// The row as the service first saw it, as it holds it, and as it is where it is saved to.
    ///
    /// ```swift
    /// if let users = try conflict.values(of: User.self) { show(users.mine, users.theirs) }
    /// ```
    ///
    /// - Returns: `nil` if the conflict is about another entity. A side that has no row is `nil`.
    /// - Throws: `StoreError` with code `undecodableValue`.
    public func values<E: Entity>(
        of entity: E.Type
    ) throws -> (base: E?, mine: E?, theirs: E?)? {
        guard type == ObjectIdentifier(E.self) else { return nil }
        func value(_ row: [StoreValue]?) throws -> E? {
            try row.map { try ValueRow($0).read { try E(row: $0) } }
        }
        return (try value(rows.base), try value(rows.mine), try value(rows.theirs))
    }

    /// The ID of the row.
    ///
    /// - Returns: `nil` if the conflict is about another entity.
    public func id<E: Entity>(of entity: E.Type) throws -> E.ID? {
        guard type == ObjectIdentifier(E.self) else { return nil }
        return try ValueRow([id]).read { try E.ID(row: $0, column: 0) }
    }
}
