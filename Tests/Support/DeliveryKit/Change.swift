#if RequestCore
package import Skiathos

/// A change that a request belongs to, conformed by hand as without the macro.
package struct Change: Sendable, Hashable {
    /// The ID, which grows with the order of enqueueing.
    package var id: EntityID<Change> = .unassigned
    /// What was changed.
    package var key: String = ""
    /// Identifies this change.
    package var token: String = ""
}

extension Change: Entity {
    /// The columns by the names of their properties.
    package struct Columns: Sendable {
        /// The ID.
        package let id = Column<Change, Change.ID>(0, Coding.of(Change.ID.self))
        /// What was changed.
        package let key = Column<Change, String>(1, Coding.of(String.self))
        /// Identifies this change.
        package let token = Column<Change, String>(2, Coding.of(String.self))
    }

    /// The columns.
    package static let columns = Columns()

    /// The table and its keys.
    package static let schema = EntitySchema(
        Change.self, table: "change", id: Coding.of(Change.ID.self),
        columns: [
            ColumnSchema("key", Coding.of(String.self)),
            ColumnSchema("token", Coding.of(String.self)),
        ], unique: [["token"]], indexed: [])

    /// The position of the column that a key path leads to.
    package static func column(at keyPath: PartialKeyPath<Change>) -> Int? {
        switch keyPath {
        case \Change.id: 0
        case \Change.key: 1
        case \Change.token: 2
        default: nil
        }
    }

    /// Makes one with the defaults.
    package init(id: Change.ID) { self.id = id }

    /// Decodes a row.
    package init(row: RowReader) throws {
        id = try row.value(Coding.of(Change.ID.self), at: 0)
        key = try row.value(Coding.of(String.self), at: 1)
        token = try row.value(Coding.of(String.self), at: 2)
    }

    /// Binds the value of a column.
    package func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Change.ID.self), at: position)
        case 1: try parameters.bind(key, Coding.of(String.self), at: position)
        default: try parameters.bind(token, Coding.of(String.self), at: position)
        }
    }

    /// The columns that differ.
    package func changedColumns(from other: Change) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(key, other.key))
        changed.insert(2, if: !Coding.of(String.self).areIdentical(token, other.token))
        return changed
    }
}
#endif
