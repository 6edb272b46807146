public import SkiathosCore
public import SkiathosStore

/// A pending change to data that was also changed elsewhere, so that saving needs a decision.
///
/// The values are properties of the conflict and never part of an error message.
public struct Conflict: Sendable, Hashable {
    /// How the two sides differ.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Both sides changed one column, to different values.
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
    /// The column's value when the service first saw the row.
    public let base: StoreValue?
    /// The column's value in the service.
    public let mine: StoreValue?
    /// The column's value in the parent or the store that the change is saved to.
    public let theirs: StoreValue?

    let type: ObjectIdentifier
    let rows: Rows

    struct Rows: Sendable, Hashable {
        let base: [StoreValue]?
        let mine: [StoreValue]?
        let theirs: [StoreValue]?
    }

    init(
        kind: Kind, entity: String, id: StoreValue, column: String?, base: StoreValue?,
        mine: StoreValue?, theirs: StoreValue?, type: ObjectIdentifier, rows: Rows
    ) {
        self.kind = kind
        self.entity = entity
        self.id = id
        self.column = column
        self.base = base
        self.mine = mine
        self.theirs = theirs
        self.type = type
        self.rows = rows
    }

    /// Makes a conflict about one column, for tests of a policy.
    ///
    /// ```swift
    /// let conflict = try Conflict(
    ///     .bothChanged, of: User.self, id: 7, column: "name", mine: .text("Ann"), theirs: .text("Eve"))
    /// ```
    ///
    /// The conflict has no whole rows: all sides of ``values(of:)`` are `nil`.
    ///
    /// - Throws: `StoreError` if the ID has no form in a store.
    public init<E: Entity>(
        _ kind: Kind, of entity: E.Type, id: E.ID, column: String? = nil, base: StoreValue? = nil,
        mine: StoreValue? = nil, theirs: StoreValue? = nil
    ) throws {
        self.init(
            kind: kind, entity: E.schema.typeName, id: try StoreValue(id, Coding.of(E.ID.self)),
            column: column, base: base, mine: mine, theirs: theirs, type: ObjectIdentifier(E.self),
            rows: Rows(base: nil, mine: nil, theirs: nil))
    }

    /// The row as first seen by the service, as pending in it, and as found in the saving
    /// target.
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
