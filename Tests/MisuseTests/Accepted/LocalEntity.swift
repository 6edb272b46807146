// An entity that is conformed by hand may be declared inside a function.

import Skiathos

func local() async throws -> Int {
    struct Note: Entity {
        struct Columns: Sendable {
            let id = Column<Note, Note.ID>(0, Coding.of(Note.ID.self))
            let text = Column<Note, String>(1, Coding.of(String.self))
        }
        static let columns = Columns()
        static func makeColumns() -> Columns { Columns() }
        static let schema = EntitySchema(
            Note.self, table: "note", id: Coding.of(Note.ID.self),
            columns: [ColumnSchema("text", Coding.of(String.self))])

        var id: EntityID<Note> = .unassigned
        var text = ""

        static func column(at keyPath: PartialKeyPath<Note>) -> Int? {
            switch keyPath {
            case \Note.id: 0
            case \Note.text: 1
            default: nil
            }
        }

        init(id: Note.ID) { self.id = id }

        init(row: RowReader) throws {
            id = try row.value(Coding.of(Note.ID.self), at: 0)
            text = try row.value(Coding.of(String.self), at: 1)
        }

        func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
            switch column {
            case 0: try parameters.bind(id, Coding.of(Note.ID.self), at: position)
            default: try parameters.bind(text, Coding.of(String.self), at: position)
            }
        }

        func changedColumns(from other: Note) -> ColumnSet {
            var changed = ColumnSet()
            changed.insert(1, if: !Coding.of(String.self).areIdentical(text, other.text))
            return changed
        }
    }

    let dal = try await DataAccessLayer.open(.inMemory, entities: Note.self)
    try await dal.write { try Note.create(in: $0) { $0.text = "Remember" } }
    return try await dal.read { try Note.count(where: { $0.text.hasPrefix("R") }, in: $0) }
}
