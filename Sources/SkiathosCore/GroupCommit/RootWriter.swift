import Dispatch
import SkiathosStore
import Synchronization

/// The only thing that writes to the store: merges units of work into the open batch, one at a
/// time, and commits the batch.
///
/// Two things are held. The *turn* belongs to one write from the beginning of its closure to its
/// merge; whoever calls ``perform(_:_:othersWait:_:)`` has it. The *connection* is held only while
/// changes are applied, a query of the closure runs, or the batch is committed, so a batch can be
/// committed while a closure computes. `CommitStateMachine` decides when.
final class RootWriter: Sendable {
    /// From how many changed objects on a write has a transaction of its own.
    ///
    /// Until it is applied nobody has to wait for it: what was merged before is committed then.
    static let largeChange = 1000

    let store: any PersistentStore
    let reportFailure: @Sendable (BackgroundFailure) -> Void
    private let interval: DispatchTimeInterval
    /// Changed while the connection is held, apart from `wokeUp` and `turnEnded`.
    let state: Lock<CommitStateMachine<CommitWaiter>>
    /// Limits are changed while the connection is held.
    let ledger: Lock<IDLedger>
    /// Raised when writes that are under way must come to nothing.
    let stop = StopFlag()
    /// Commits and syncs that no caller makes himself.
    let background = DispatchQueue(label: "skiathos.commits")

    init(store: any PersistentStore, configuration: Configuration) throws {
        self.store = store
        reportFailure = configuration.errorHandler
        interval = .nanoseconds(Int(clamping: configuration.commitInterval.nanoseconds))
        state = Lock(CommitStateMachine(limit: configuration.maximumBatchSize))
        ledger = Lock(
            IDLedger(
                try store.writer.withSession { session in
                    try store.schema.entities.enumerated().map { position, entity in
                        IDSequence(
                            highest: entity.hasIntegerID ? try session.highestID(of: position) : 0)
                    }
                }))
    }

    /// What became of a unit of work.
    struct Merge<R> {
        let result: R
        /// Whether it changed anything.
        let isMerged: Bool
        /// Where its acknowledgement has to be waited for.
        let waiter: CommitWaiter?
    }

    /// Runs a closure as a unit of work and merges it.
    ///
    /// When this throws, nothing of its changes remains.
    func perform<R>(
        _ interruption: Interruption?, _ level: Acknowledgement, othersWait: () -> Bool,
        _ body: (WriteContext) throws -> R
    ) throws -> Merge<R> {
        try requireWritable()
        let context = WriteContext(
            root: self, sequences: ledger.withLock { $0.sequences }, interruption: interruption)
        defer {
            ledger.withLock { $0.keep(context.sequences) }
            context.end()
        }
        let waiter = level == .merged ? nil : CommitWaiter()
        do {
            try interruption?.begin(store.writer)
            let result = try body(context)
            let isMerged = try context.finish { session in
                ledger.withLock { $0.merge(context.sequences) }
                let isCrowded = othersWait()
                let action = state.withLock {
                    $0.merge(waiter, needsSync: level == .durable, othersWait: isCrowded)
                }
                act(action, session, callerSyncs: level == .durable)
            }
            return Merge(result: result, isMerged: isMerged, waiter: isMerged ? waiter : nil)
        } catch {
            undoExclusive()
            throw interruption?.translate(error) ?? error
        }
    }

    /// Tells that a turn has ended without a merge, since somebody may rely on it for his commit.
    func turnEnded(othersWait: Bool) {
        switch state.withLock({ $0.turnEnded(othersWait: othersWait) }) {
        case .commit: commitInBackground()
        case .wakeLater: wakeLater()
        case .none: break
        }
    }

    /// Makes sure that a read which begins now sees every write that has returned.
    func commitForRead() throws {
        guard state.withLock({ $0.hasReturnedWrites }) else { return }
        // If they cannot be committed they are lost, which was reported; the read goes on.
        try store.writer.withSession { session in _ = commitBatch(session) }
    }

    /// Deletes every row.
    ///
    /// IDs that were handed out stay so.
    func reset() throws {
        try requireWritable()
        try store.writer.withSession { session in
            _ = commitBatch(session)
            do {
                try session.begin()
                try session.deleteEverything()
                try session.commit()
            } catch {
                rollback(session)
                throw error
            }
        }
    }

    /// Brings everything that was merged to a level.
    func flush(to level: Acknowledgement) throws {
        guard level > .merged else { return }
        try store.writer.withSession { session in
            _ = try commitBatch(session, callerSyncs: level == .durable)?.get()
        }
        guard level == .durable else { return }
        try sync { try $0.sync() }
    }

    /// Syncs for all whose changes are committed and who wait for it.
    func syncAwaited() {
        guard state.withLock({ $0.needsSync }) else { return }
        do {
            try sync { session in
                if state.withLock({ $0.needsSync }) { try session.sync() }
            }
        } catch {
            // Whoever waits was told.
        }
    }

    /// Commits what is left and lowers the limits of IDs to what was used, so that no ID is
    /// skipped by closing.
    func finish() throws {
        let committed = Result {
            try store.writer.withSession { session in _ = try commitBatch(session)?.get() }
        }
        syncAwaited()
        let unused = ledger.withLock { $0.unused }
        if !unused.isEmpty, !store.isReadOnly {
            try store.writer.withSession { session in
                do {
                    try session.begin()
                    try session.apply(
                        unused.map { .reserveIDs(entity: $0.entity, upTo: $0.highest) })
                    try session.commit()
                } catch {
                    rollback(session)
                    throw error
                }
            }
        }
        try committed.get()
    }

    /// A write of a store that is read only is refused before its closure runs, even if it would
    /// change nothing: whether it works must not depend on what it finds.
    private func requireWritable() throws {
        guard store.isReadOnly else { return }
        throw StoreError(
            .readOnly,
            "The store was opened for reading only. Open it without Configuration.isReadOnly to write."
        )
    }

    private func act(
        _ action: CommitStateMachine<CommitWaiter>.Action, _ session: any StoreWriteSession,
        callerSyncs: Bool
    ) {
        switch action {
        case .commit: commitBatch(session, callerSyncs: callerSyncs)
        case .wakeLater: wakeLater()
        case .none: break
        }
    }

    private func wakeLater() {
        // A store that is released meanwhile has committed everything.
        background.asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self, self.state.withLock({ $0.wokeUp() }) == .commit else { return }
            self.commitAndSync()
        }
    }

    private func commitInBackground() {
        background.async { [weak self] in self?.commitAndSync() }
    }

    private func commitAndSync() {
        do {
            try store.writer.withSession { session in _ = commitBatch(session) }
        } catch {
            // A store that was closed meanwhile has committed everything.
            if state.withLock({ $0.hasBatch }) {
                reportFailure(BackgroundFailure(operation: .commit, error: error))
            }
        }
        syncAwaited()
    }

    func syncInBackground() {
        guard state.withLock({ $0.needsSync }) else { return }
        background.async { [weak self] in self?.syncAwaited() }
    }

    private func sync(_ body: (any StoreWriteSession) throws -> Void) throws {
        try store.writer.withSession { session in
            let result = Result { try body(session) }.mapError { error -> any Error in
                guard var error = error as? StoreError else { return error }
                error.outcome = .committed
                return error
            }
            for waiter in state.withLock({ $0.takeUnsynced() }) { waiter.resolve(result) }
            try result.get()
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        return overflow
            ? .max : product.addingReportingOverflow(attoseconds / 1_000_000_000).partialValue
    }
}
