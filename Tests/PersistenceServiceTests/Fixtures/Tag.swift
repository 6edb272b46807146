import Skiathos

/// A tag, whose ID is chosen by the caller.
struct Tag: Sendable, Equatable {
    var id: EntityID<Tag> = .unassigned
    var label = ""
}

extension Tag: Entity {
    typealias RawID = String

    struct Columns: Sendable {
        let id = Column<Tag, Tag.ID>(0, Coding.of(Tag.ID.self))
        let label = Column<Tag, String>(1, Coding.of(String.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Tag.self, table: "tag", id: Coding.of(Tag.ID.self),
        columns: [ColumnSchema("label", Coding.of(String.self))])

    static func column(at keyPath: PartialKeyPath<Tag>) -> Int? {
        switch keyPath {
        case \Tag.id: 0
        case \Tag.label: 1
        default: nil
        }
    }

    init(id: Tag.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Tag.ID.self), at: 0)
        label = try row.value(Coding.of(String.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Tag.ID.self), at: position)
        default: try parameters.bind(label, Coding.of(String.self), at: position)
        }
    }

    func changedColumns(from other: Tag) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(label, other.label))
        return changed
    }
}
