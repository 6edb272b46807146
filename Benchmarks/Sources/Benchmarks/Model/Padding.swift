import Skiathos

/// Entities without rows, by which a schema grows.
enum Paddings {
    /// So many different entities.
    static func entities(_ count: Int) -> [any Entity.Type] {
        (0..<max(count, 0)).map { entity(for: number($0)) }
    }

    private static func number(_ value: Int) -> any PhantomNumber.Type {
        guard value > 0 else { return Zero.self }
        func twice<N: PhantomNumber>(_ half: N.Type) -> any PhantomNumber.Type {
            value.isMultiple(of: 2) ? Twice<N>.self : TwiceAndOne<N>.self
        }
        return twice(number(value / 2))
    }

    private static func entity<N: PhantomNumber>(for number: N.Type) -> any Entity.Type {
        Padding<N>.self
    }
}

/// A number that is a type, so that each makes an entity of its own.
private protocol PhantomNumber: Sendable {
    static var value: Int { get }
}

private enum Zero: PhantomNumber {
    static var value: Int { 0 }
}

private enum Twice<Half: PhantomNumber>: PhantomNumber {
    static var value: Int { 2 * Half.value }
}

private enum TwiceAndOne<Half: PhantomNumber>: PhantomNumber {
    static var value: Int { 2 * Half.value + 1 }
}

private struct Padding<Number: PhantomNumber>: Sendable {
    var id: EntityID<Self> = .unassigned
    var name = ""
}

extension Padding: Entity {
    struct Columns: Sendable {
        let id = Column<Padding, Padding.ID>(0, Coding.of(Padding.ID.self))
        let name = Column<Padding, String>(1, Coding.of(String.self))
    }
    static var columns: Columns { Columns() }
    static func makeColumns() -> Columns { Columns() }
    static var schema: EntitySchema {
        EntitySchema(
            Self.self, table: "padding \(Number.value)", id: Coding.of(Self.ID.self),
            columns: [ColumnSchema("name", Coding.of(String.self))], indexed: ["name"])
    }

    static func column(at keyPath: PartialKeyPath<Self>) -> Int? {
        switch keyPath {
        case \Self.id: 0
        case \Self.name: 1
        default: nil
        }
    }

    init(id: Self.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Self.ID.self), at: 0)
        name = try row.value(Coding.of(String.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Self.ID.self), at: position)
        default: try parameters.bind(name, Coding.of(String.self), at: position)
        }
    }

    func changedColumns(from other: Self) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(name, other.name))
        return changed
    }
}
