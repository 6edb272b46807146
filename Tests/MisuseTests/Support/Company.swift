import Skiathos

/// What users refer to; its key is a text that the caller chooses.
struct Company: Sendable, Equatable {
    var id: EntityID<Company> = .unassigned
    var name = ""
}

extension Company: Entity {
    typealias RawID = String

    struct Columns: Sendable {
        let id = Column<Company, Company.ID>(0, Coding.of(Company.ID.self))
        let name = Column<Company, String>(1, Coding.of(String.self))
    }
    static let columns = Columns()
    static func makeColumns() -> Columns { Columns() }
    static let schema = EntitySchema(
        Company.self, table: "company", id: Coding.of(Company.ID.self),
        columns: [ColumnSchema("name", Coding.of(String.self))])

    static func column(at keyPath: PartialKeyPath<Company>) -> Int? {
        switch keyPath {
        case \Company.id: 0
        case \Company.name: 1
        default: nil
        }
    }

    init(id: Company.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Company.ID.self), at: 0)
        name = try row.value(Coding.of(String.self), at: 1)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Company.ID.self), at: position)
        default: try parameters.bind(name, Coding.of(String.self), at: position)
        }
    }

    func changedColumns(from other: Company) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(name, other.name))
        return changed
    }
}
