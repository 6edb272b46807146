import Skiathos

/// A type of column under test.
protocol TestedType: Sendable {
    /// How its values are kept.
    associatedtype Coding: ColumnCoding
    /// Names the table.
    static var name: String { get }
    /// Values at the limits of the type, and some between; the first is that of new rows.
    static var extremes: [Coding.Value] { get }
}

/// A row with columns of one type, required and optional, all with an index, and a reference to
/// another such row.
struct Cells<T: TestedType>: Sendable {
    typealias Value = T.Coding.Value

    var id: EntityID<Cells> = .unassigned
    var first = T.extremes[0]
    var second = T.extremes[0]
    var optional: Value?
    var parent: EntityID<Cells>?

    var children: ToMany<Cells> { ToMany(\.parent, of: id) }
}

extension Cells: Entity {
    struct Columns: Sendable {
        let id = Column<Cells, EntityID<Cells>>(0, Coding.of(EntityID<Cells>.self))
        let first = Column<Cells, Value>(1, T.Coding.self)
        let second = Column<Cells, Value>(2, T.Coding.self)
        let optional = Column<Cells, Value?>(3, OptionalCoding<T.Coding>.self)
        let parent = Column<Cells, EntityID<Cells>?>(4, Coding.of(EntityID<Cells>?.self))
        let children = Relation(\Cells.children)
    }
    static var columns: Columns { Columns() }
    static func makeColumns() -> Columns { Columns() }
    static var schema: EntitySchema {
        EntitySchema(
            Cells.self, table: T.name, id: Coding.of(EntityID<Cells>.self),
            columns: [
                ColumnSchema("first", T.Coding.self), ColumnSchema("second", T.Coding.self),
                ColumnSchema("optional", OptionalCoding<T.Coding>.self),
                ColumnSchema("parent", Coding.of(EntityID<Cells>?.self)),
            ], indexed: ["first", "optional"])
    }

    static func column(at keyPath: PartialKeyPath<Cells>) -> Int? {
        let all: [PartialKeyPath<Cells>] = [\.id, \.first, \.second, \.optional, \.parent]
        return all.firstIndex(of: keyPath)
    }

    init(id: EntityID<Cells>) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(EntityID<Cells>.self), at: 0)
        first = try row.value(T.Coding.self, at: 1)
        second = try row.value(T.Coding.self, at: 2)
        optional = try row.value(OptionalCoding<T.Coding>.self, at: 3)
        parent = try row.value(Coding.of(EntityID<Cells>?.self), at: 4)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(EntityID<Cells>.self), at: position)
        case 1: try parameters.bind(first, T.Coding.self, at: position)
        case 2: try parameters.bind(second, T.Coding.self, at: position)
        case 3: try parameters.bind(optional, OptionalCoding<T.Coding>.self, at: position)
        default: try parameters.bind(parent, Coding.of(EntityID<Cells>?.self), at: position)
        }
    }

    func changedColumns(from other: Cells) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !T.Coding.areIdentical(first, other.first))
        changed.insert(2, if: !T.Coding.areIdentical(second, other.second))
        changed.insert(3, if: !OptionalCoding<T.Coding>.areIdentical(optional, other.optional))
        changed.insert(
            4, if: !Coding.of(EntityID<Cells>?.self).areIdentical(parent, other.parent))
        return changed
    }
}
