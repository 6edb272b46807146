import Locks
import Skiathos
import SkiathosStore
import Synchronization

/// A message that is deleted with its note, and notifies a test of its commits.
struct Message: Sendable, Equatable {
    /// Gets what is committed; tests that set it run one after the other.
    static let didCommit = Lock<@Sendable (EntityChanges<Message>) -> Void>({ _ in })

    var id: EntityID<Message> = .unassigned
    var text = ""
    var note: Note.ID?
}

extension Message: CommitObserving {
    static func didCommit(_ changes: EntityChanges<Message>) {
        didCommit.withLock { $0 }(changes)
    }
}

extension Message: Entity {
    struct Columns: Sendable {
        let id = Column<Message, Message.ID>(0, Coding.of(Message.ID.self))
        let text = Column<Message, String>(1, Coding.of(String.self))
        let note = Column<Message, Note.ID?>(2, Coding.of(Note.ID?.self))
    }
    static let columns = Columns()
    static let schema = EntitySchema(
        Message.self, table: "message", id: Coding.of(Message.ID.self),
        columns: [
            ColumnSchema("text", Coding.of(String.self)),
            ColumnSchema("note", Coding.of(Note.ID?.self), onDelete: .cascade),
        ])

    static func column(at keyPath: PartialKeyPath<Message>) -> Int? {
        switch keyPath {
        case \Message.id: 0
        case \Message.text: 1
        case \Message.note: 2
        default: nil
        }
    }

    init(id: Message.ID) { self.id = id }

    init(row: RowReader) throws {
        id = try row.value(Coding.of(Message.ID.self), at: 0)
        text = try row.value(Coding.of(String.self), at: 1)
        note = try row.value(Coding.of(Note.ID?.self), at: 2)
    }

    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        switch column {
        case 0: try parameters.bind(id, Coding.of(Message.ID.self), at: position)
        case 1: try parameters.bind(text, Coding.of(String.self), at: position)
        default: try parameters.bind(note, Coding.of(Note.ID?.self), at: position)
        }
    }

    func changedColumns(from other: Message) -> ColumnSet {
        var changed = ColumnSet()
        changed.insert(1, if: !Coding.of(String.self).areIdentical(text, other.text))
        changed.insert(2, if: !Coding.of(Note.ID?.self).areIdentical(note, other.note))
        return changed
    }
}
