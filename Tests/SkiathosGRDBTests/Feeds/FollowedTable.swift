import Skiathos
import Testing

/// The rows of an entity as its feed describes them.
final class FollowedTable<E: Entity & Equatable> {
    private var rows: [E.ID: E]
    private var iterator: ChangeFeed<E>.Iterator
    /// How many rows the feed has called inserted, updated and deleted.
    private(set) var counts = (inserted: 0, updated: 0, deleted: 0)

    /// Follows a table from here on; no write may be under way.
    init(_ dal: DataAccessLayer) async throws {
        iterator = dal.changes(of: E.self).makeAsyncIterator()
        let rows = try await dal.read { try E.query.all(in: $0) }
        self.rows = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) })
    }

    /// Applies the changesets up to the one that inserts a row, and requires the table to be what
    /// they say.
    ///
    /// - Returns: Whether they were as they must be.
    func follow(_ dal: DataAccessLayer, until mark: E.ID) async throws -> Bool {
        while true {
            guard case .changes(let changes)? = try await iterator.next() else {
                Issue.record("The feed of \(E.self) has ended, or missed something.")
                return false
            }
            if let problem = apply(changes) {
                Issue.record("\(E.self): \(problem) in \(changes)")
                return false
            }
            if changes.inserted.contains(mark) { break }
        }
        let present = try await dal.read { try E.query.all(in: $0) }
        let isSame = rows == Dictionary(uniqueKeysWithValues: present.map { ($0.id, $0) })
        #expect(isSame, "\(E.self): \(rows.values) instead of \(present)")
        return isSame
    }

    /// Applies a changeset; returns what is wrong with it.
    private func apply(_ changes: EntityChanges<E>) -> String? {
        guard changes.isComplete else { return "The changeset is incomplete." }
        let lists = changes.inserted + changes.updated.map(\.id) + changes.deleted
        guard !lists.isEmpty else { return "Nothing has changed." }
        guard Set(lists).count == lists.count else { return "A row is in two lists." }
        for id in changes.inserted {
            guard rows[id] == nil, changes.before(id) == nil else { return "\(id) was there." }
            guard let after = changes.after(id) else { return "\(id) is not there." }
            rows[id] = after
        }
        for update in changes.updated {
            if let problem = apply(update, of: changes) { return problem }
        }
        for id in changes.deleted {
            guard let row = rows.removeValue(forKey: id), changes.before(id) == row else {
                return "The row of \(id) was another one."
            }
            guard changes.after(id) == nil else { return "\(id) is still there." }
        }
        counts.inserted += changes.inserted.count
        counts.updated += changes.updated.count
        counts.deleted += changes.deleted.count
        return nil
    }

    private func apply(
        _ update: EntityChanges<E>.Update, of changes: EntityChanges<E>
    ) -> String? {
        guard let row = rows[update.id], changes.before(update.id) == row else {
            return "The row of \(update.id) was another one."
        }
        guard let after = changes.after(update.id) else { return "\(update.id) is not there." }
        let columns = after.changedColumns(from: row).map { E.schema.columns[$0].name }
        guard !columns.isEmpty, columns == update.columns else {
            return "The columns \(columns) of \(update.id) have changed"
        }
        rows[update.id] = after
        return nil
    }
}
