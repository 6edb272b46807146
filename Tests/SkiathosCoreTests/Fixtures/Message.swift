import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization

/// A message that is deleted with its note, and notifies a test of its commits.
struct Message: Sendable, Equatable {
    /// Get what is committed, by the label of the store: other tests have stores of messages at the
    /// same time.
    static let observers = Lock<[String: @Sendable (EntityChanges<Message>) -> Void]>([:])

    var id: EntityID<Message> = .unassigned
    var text = ""
    var note: Note.ID?
}

extension Message: CommitObserving {
    static func didCommit(_ changes: EntityChanges<Message>) {
        observers.withLock { $0[changes.store] }?(changes)
    }
}

extension Message: TableEntity {
    init(id: Message.ID) { self.id = id }

    static let table = EntityTable("message", id: \Message.id) {
        EntityColumn("text", \.text)
        EntityColumn("note", \.note, .references(onDelete: .cascade))
    }
}
