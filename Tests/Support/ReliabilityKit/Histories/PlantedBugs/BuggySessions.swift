import SkiathosStore
import Synchronization

extension PlantedBug {
    /// The session with the mistake, if it is one of writing.
    func session(_ base: any StoreWriteSession, _ state: BugState) -> any StoreWriteSession {
        switch self {
        case .tornReads, .earlyRenewals, .outdatedRows, .dirtyReads, .skippedSyncs: base
        case .lateCommits: LateSession(base, state)
        case .droppedChanges: DroppingSession(base, state)
        case .lostCommits: LosingSession(base, state)
        case .keptSavepoints: KeepingSession(base)
        case .keptInsertions: KeptInsertionSession(base)
        }
    }
}

/// What the sessions of a store with a mistake share.
final class BugState: Sendable {
    private let count = Atomic<Int>(0)
    /// Whether a transaction is open that counts as committed.
    let isCommitLate = Atomic(false)

    /// Whether it is time for the mistake, which is made once in so many cases.
    func isDue(every period: Int) -> Bool {
        count.add(1, ordering: .relaxed).newValue.isMultiple(of: period)
    }
}

private final class LateSession: ForwardingSession {
    private let state: BugState

    init(_ base: any StoreWriteSession, _ state: BugState) {
        self.state = state
        super.init(base)
    }

    private var isLate: Bool { state.isCommitLate.load(ordering: .relaxed) }

    private func catchUp() throws {
        if state.isCommitLate.exchange(false, ordering: .relaxed) { try base.commit() }
    }

    override var isInTransaction: Bool { isLate ? false : base.isInTransaction }

    override func begin() throws {
        try catchUp()
        try base.begin()
    }

    override func commit() throws {
        guard state.isDue(every: 3) else { return try base.commit() }
        state.isCommitLate.store(true, ordering: .relaxed)
    }

    override func rollback() throws { if !isLate { try base.rollback() } }

    override var checkpointNeed: CheckpointNeed { isLate ? .none : base.checkpointNeed }
}

private final class DroppingSession: ForwardingSession {
    private let state: BugState

    init(_ base: any StoreWriteSession, _ state: BugState) {
        self.state = state
        super.init(base)
    }

    override func apply(_ changes: [StoreChange]) throws {
        try base.apply(state.isDue(every: 40) ? changes.dropLast() : changes)
    }
}

private final class LosingSession: ForwardingSession {
    private let state: BugState

    init(_ base: any StoreWriteSession, _ state: BugState) {
        self.state = state
        super.init(base)
    }

    override func commit() throws {
        if state.isDue(every: 25) { try base.rollback() } else { try base.commit() }
    }
}

private final class KeepingSession: ForwardingSession {
    override func rollbackSavepoint() throws { try base.releaseSavepoint() }
}

/// A session that leaves a row without a savepoint where it is, though it refuses it.
final class KeptInsertionSession: ForwardingSession {
    override func insertAlone(
        _ row: any RowSource, into entity: Int
    ) throws -> LoneInsertion {
        do {
            try base.apply([.insert(entity: entity, row)])
            try base.checkReferences()
            return .inserted
        } catch {
            return .refused(error)
        }
    }
}
