import Skiathos

/// A measured value; the test can look on while its rows are decoded.
struct Reading: Sendable, Equatable {
    /// Called in the same task before each row is decoded.
    @TaskLocal static var onRow: (@Sendable () -> Void)?

    var id: EntityID<Reading> = .unassigned
    var level = 0
}

extension Reading: Entity {
    struct Columns: Sendable {
        let id = Column<Reading, Reading.ID>(0, Coding.of(Reading.ID.self))
        let level = Column<Reading, Int>(1, Coding.of(Int.self))
    }
    static let columns = Columns()
    static func makeColumns() -> Columns { Columns() }
    static let schema = EntitySchema(
        Reading.self, table: "reading", id: Coding.of(Reading.ID.self),
        columns: [ColumnSchema("level", Coding.of(Int.self))])

    static func column(at keyPath: PartialKeyPath<Reading>) -> Int? {
        switch keyPath {
        case \Reading.id: 0
        case \Reading.level: 1
        default: nil
        }
    }

    init(id: Reading.ID) { self.id = id }

    init(row: RowReader) throws {
        Self.onRow?()
        id = try row.value(Coding.of(Reading.ID.self), at: 0)
        level = try row.value(Coding.of(Int.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Reading.ID.self), at: position)
        default: try parameters.bind(level, Coding.of(Int.self), at: position)
        }
    }

    func changedColumns(from other: Reading) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(Int.self).areIdentical(level, other.level))
        return changed
    }
}
