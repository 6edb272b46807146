/// A mistake of a store that a history has to find.
package enum PlantedBug: String, Sendable, CaseIterable {
    /// Each statement of a read sees a version of its own.
    case tornReads = "torn reads"
    /// The snapshot that a read has reserved is renewed when it is first used.
    case earlyRenewals = "early renewals"
    /// Rows that have changed are found in the snapshot of an earlier version.
    case outdatedRows = "outdated rows"
    /// Some commits become visible only with the next transaction.
    case lateCommits = "late commits"
    /// Some units of work are stored without their last change.
    case droppedChanges = "dropped changes"
    /// Some commits undo the transaction, and report success.
    case lostCommits = "lost commits"
    /// Reads see what is not committed.
    case dirtyReads = "dirty reads"
    /// Rolled back changes stay.
    case keptSavepoints = "kept savepoints"
    /// Rows without a savepoint are refused, and stay.
    case keptInsertions = "kept insertions"
    /// Syncs report success, and do nothing.
    case skippedSyncs = "skipped syncs"

    /// The rules of which a history with the mistake breaks at least one.
    package var broken: Set<HistoryViolation.Rule> {
        switch self {
        case .tornReads, .earlyRenewals: [.readSkew, .writeSkew, .serialOrder]
        case .outdatedRows: [.readSkew, .serialOrder, .realTime]
        case .lateCommits: [.realTime, .lostWrite]
        case .droppedChanges, .lostCommits:
            [.lostWrite, .lostUpdate, .serialOrder, .notAPrefix, .realTime]
        case .dirtyReads: [.abortedRead, .intermediateRead, .readSkew, .serialOrder, .writeSkew]
        case .keptSavepoints: [.abortedRead]
        // The commit meets the broken reference, too.
        case .keptInsertions: [.abortedRead, .failure]
        case .skippedSyncs: [.earlyAcknowledgement]
        }
    }
}
