import Skiathos

/// An element of a list; the elements of a list are ordered by their IDs.
struct ListEntry: Sendable, Equatable {
    var id: EntityID<ListEntry> = .unassigned
    var list = 0
    var value = 0
}

extension ListEntry: Entity {
    struct Columns: Sendable {
        let id = Column<ListEntry, ListEntry.ID>(0, Coding.of(ListEntry.ID.self))
        let list = Column<ListEntry, Int>(1, Coding.of(Int.self))
        let value = Column<ListEntry, Int>(2, Coding.of(Int.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        ListEntry.self, table: "listEntry", id: Coding.of(ListEntry.ID.self),
        columns: [
            ColumnSchema("list", Coding.of(Int.self)),
            ColumnSchema("value", Coding.of(Int.self)),
        ], indexed: ["list"])

    static func column(at keyPath: PartialKeyPath<ListEntry>) -> Int? {
        switch keyPath {
        case \ListEntry.id: 0
        case \ListEntry.list: 1
        case \ListEntry.value: 2
        default: nil
        }
    }

    init(id: ListEntry.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(ListEntry.ID.self), at: 0)
        list = try row.value(Coding.of(Int.self), at: 1)
        value = try row.value(Coding.of(Int.self), at: 2)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(ListEntry.ID.self), at: position)
        case 1: try parameters.bind(list, Coding.of(Int.self), at: position)
        default: try parameters.bind(value, Coding.of(Int.self), at: position)
        }
    }

    func changedColumns(from other: ListEntry) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(Int.self).areIdentical(list, other.list))
        changed.insert(2, if: !Coding.of(Int.self).areIdentical(value, other.value))
        return changed
    }
}
