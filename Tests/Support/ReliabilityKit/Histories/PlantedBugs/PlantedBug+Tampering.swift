package import SkiathosStore

extension PlantedBug {
    /// The store with the mistake, to be given to a `HistoryRun`.
    package var tampering: @Sendable (any PersistentStore) -> any PersistentStore {
        switch self {
        case .tornReads: { store in ForwardingStore(store, reader: { TornReader(base: $0) }) }
        case .earlyRenewals:
            { store in ForwardingStore(store, reader: { RenewingReader(base: $0) }) }
        case .outdatedRows:
            { store in ForwardingStore(store, reader: { OutdatedReader(base: $0) }) }
        case .dirtyReads:
            { store in
                let writer = store.writer
                return ForwardingStore(store, reader: { _ in DirtyReader(writer: writer) })
            }
        case .skippedSyncs: { store in ForwardingStore(store, sync: { _ in }) }
        case .lateCommits, .droppedChanges, .lostCommits, .keptSavepoints, .keptInsertions:
            { store in
                let state = BugState()
                return ForwardingStore(store, session: { session($0, state) })
            }
        }
    }
}
