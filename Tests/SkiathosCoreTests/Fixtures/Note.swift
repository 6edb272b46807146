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

extension Note: TableEntity {
    init(id: Note.ID) { self.id = id }

    static let table = EntityTable("note", id: \Note.id) {
        EntityColumn("title", \.title)
        EntityColumn("revision", \.revision)
        EntityColumn("rating", \.rating)
    }
}
