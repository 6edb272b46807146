#if Macros
package import PersistenceService

/// Changes an entry in a scratch space: the journal does not see them before they are saved, and
/// what is discarded was never there.
package struct SightingEditor: Sendable {
    package let id: Sighting.ID
    private let space: any PersistenceService

    /// Opens an entry for changes.
    package init(_ id: Sighting.ID, above parent: any PersistenceService) async throws {
        self.id = id
        space = parent.makeChild()
        guard try await space.exists(Sighting.self, where: { $0.id == id }) else {
            throw JournalError.unknownEntry(id.rawValue)
        }
    }

    package func rename(to species: String) async throws {
        guard !species.isEmpty else { throw JournalError.invalidDraft("has no species") }
        try await change("rename") { $0.species = species }
    }

    package func recount(to count: Int) async throws {
        guard count > 0 else { throw JournalError.invalidDraft("has a count below 1") }
        try await change("recount") { $0.count = count }
    }

    package func remark(_ text: String) async throws {
        try await change("remark") { $0.remark = text }
    }

    /// The steps that can be undone, by their names.
    package var steps: [String] { space.history.undoable }

    package func undo() async throws -> Bool { try await space.undo() }
    package func redo() async throws -> Bool { try await space.redo() }

    /// The entry with the changes that are not saved.
    package func preview() async throws -> Entry {
        let id = id
        let entries = try await space.fetch(
            FetchParameters<Sighting>(where: { $0.id == id })
        ) { try Entry($0, in: $1) }
        guard let entry = entries.first else { throw JournalError.unknownEntry(id.rawValue) }
        return entry
    }

    /// What the totals would be.
    package func totals() async throws -> [SpeciesTotal] {
        try await space.read { try SpeciesTotal.all(in: $0) }
    }

    /// Saves the changes; concurrent changes of other columns stay.
    package func save(merging policy: MergePolicy = .throwing) async throws {
        try await space.save(.store, merging: policy)
    }

    /// Drops the changes.
    package func discard() async throws { try await space.rollBack() }

    private func change(
        _ name: String, _ body: @escaping @Sendable (Managed<Sighting>) -> Void
    ) async throws {
        try await space.update(Sighting.self, ids: [id], named: name) { sightings, _ in
            sightings.forEach(body)
            return .keep
        }
    }
}
#endif
