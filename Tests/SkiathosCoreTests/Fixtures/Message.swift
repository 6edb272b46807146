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

extension Message: TableEntity {
    init(id: Message.ID) { self.id = id }

    static let table = EntityTable("message", id: \Message.id) {
        EntityColumn("text", \.text)
        EntityColumn("note", \.note, .references(onDelete: .cascade))
    }
}
