package import Skiathos

/// What the runs store: a text under a name, and in which write it was last changed.
package struct Item: Sendable, Equatable {
    package var id: EntityID<Item> = .unassigned
    package var sequence = 0
    package var text = ""
}

extension Item: Entity {
    package typealias RawID = String

    package struct Columns: Sendable {
        package let id = Column<Item, Item.ID>(0, Coding.of(Item.ID.self))
        package let sequence = Column<Item, Int>(1, Coding.of(Int.self))
        package let text = Column<Item, String>(2, Coding.of(String.self))
    }
    package static let columns = Columns()
    package static let schema = EntitySchema(
        Item.self, table: "item", id: Coding.of(Item.ID.self),
        columns: [
            ColumnSchema("sequence", Coding.of(Int.self)),
            ColumnSchema("text", Coding.of(String.self)),
        ], indexed: ["sequence"])

    package static func column(at keyPath: PartialKeyPath<Item>) -> Int? {
        switch keyPath {
        case \Item.id: 0
        case \Item.sequence: 1
        case \Item.text: 2
        default: nil
        }
    }

    package init(id: Item.ID) { self.id = id }

    package init(row: RowReader) throws {
        id = try row.value(Coding.of(Item.ID.self), at: 0)
        sequence = try row.value(Coding.of(Int.self), at: 1)
        text = try row.value(Coding.of(String.self), at: 2)
    }

    package func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Item.ID.self), at: position)
        case 1: try parameters.bind(sequence, Coding.of(Int.self), at: position)
        default: try parameters.bind(text, Coding.of(String.self), at: position)
        }
    }

    package func changedColumns(from other: Item) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: sequence != other.sequence)
        changed.insert(2, if: text != other.text)
        return changed
    }
}
