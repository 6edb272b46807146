import Skiathos

/// A value that is replaced.
struct Register: Sendable, Equatable {
    /// The register in which writes count themselves.
    static let counter = EntityID<Register>(rawValue: 1_000)

    var id: EntityID<Register> = .unassigned
    var content = 0
}

extension Register: Entity {
    struct Columns: Sendable {
        let id = Column<Register, Register.ID>(0, Coding.of(Register.ID.self))
        let content = Column<Register, Int>(1, Coding.of(Int.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Register.self, table: "register", id: Coding.of(Register.ID.self),
        columns: [ColumnSchema("content", Coding.of(Int.self))])

    static func column(at keyPath: PartialKeyPath<Register>) -> Int? {
        switch keyPath {
        case \Register.id: 0
        case \Register.content: 1
        default: nil
        }
    }

    init(id: Register.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Register.ID.self), at: 0)
        content = try row.value(Coding.of(Int.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Register.ID.self), at: position)
        default: try parameters.bind(content, Coding.of(Int.self), at: position)
        }
    }

    func changedColumns(from other: Register) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(Int.self).areIdentical(content, other.content))
        return changed
    }
}
