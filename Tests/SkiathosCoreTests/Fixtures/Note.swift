import Skiathos

/// A note with requirements, whose hooks are what the test says.
struct Note: Sendable, Equatable {
    /// What the hooks of a test do.
    struct Hooks: Sendable {
        typealias Hook = @Sendable (Managed<Note>, WriteContext) throws -> Void

        var willInsert: Hook = { _, _ in }
        var willUpdate: Hook = { _, _ in }
        var willDelete: Hook = { _, _ in }
    }

    @TaskLocal static var hooks = Hooks()

    var id: EntityID<Note> = .unassigned
    var title = "untitled"
    var revision = 0
    var rating = 0

    var summary: String { "\(title) (\(rating))" }

    func validate(_ validation: inout Validation<Note>) {
        validation.require(\.title, !title.isEmpty, "must not be empty")
        validation.require(\.rating, (0...5).contains(rating), "must lie between 0 and 5")
        validation.require(
            \.title, \.revision, title != "final" || revision > 0, "a final note needs a revision")
        validation.require(\.summary, title != "long", "must be short")
        validation.require(title != "alone", "A note is never alone.")
    }
}

extension Note: WriteHooks {
    static func willInsert(_ note: Managed<Note>, in context: WriteContext) throws {
        try hooks.willInsert(note, context)
    }
    static func willUpdate(_ note: Managed<Note>, in context: WriteContext) throws {
        try hooks.willUpdate(note, context)
    }
    static func willDelete(_ note: Managed<Note>, in context: WriteContext) throws {
        try hooks.willDelete(note, context)
    }
}

extension Note: Entity {
    struct Columns: Sendable {
        let id = Column<Note, Note.ID>(0, Coding.of(Note.ID.self))
        let title = Column<Note, String>(1, Coding.of(String.self))
        let revision = Column<Note, Int>(2, Coding.of(Int.self))
        let rating = Column<Note, Int>(3, Coding.of(Int.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Note.self, table: "note", id: Coding.of(Note.ID.self),
        columns: [
            ColumnSchema("title", Coding.of(String.self)),
            ColumnSchema("revision", Coding.of(Int.self)),
            ColumnSchema("rating", Coding.of(Int.self)),
        ])

    static func column(at keyPath: PartialKeyPath<Note>) -> Int? {
        switch keyPath {
        case \Note.id: 0
        case \Note.title: 1
        case \Note.revision: 2
        case \Note.rating: 3
        default: nil
        }
    }

    init(id: Note.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Note.ID.self), at: 0)
        title = try row.value(Coding.of(String.self), at: 1)
        revision = try row.value(Coding.of(Int.self), at: 2)
        rating = try row.value(Coding.of(Int.self), at: 3)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Note.ID.self), at: position)
        case 1: try parameters.bind(title, Coding.of(String.self), at: position)
        case 2: try parameters.bind(revision, Coding.of(Int.self), at: position)
        default: try parameters.bind(rating, Coding.of(Int.self), at: position)
        }
    }

    func changedColumns(from other: Note) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(title, other.title))
        changed.insert(2, if: !Coding.of(Int.self).areIdentical(revision, other.revision))
        changed.insert(3, if: !Coding.of(Int.self).areIdentical(rating, other.rating))
        return changed
    }
}
