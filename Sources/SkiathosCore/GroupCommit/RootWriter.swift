import SkiathosStore
import Synchronization

/// The only thing that writes to the store: runs units of work one at a time and commits them.
///
/// Whoever calls holds the turn. Each unit of work has a transaction of its own, which is
/// committed before the write returns.
final class RootWriter: Sendable {
    private let store: any PersistentStore
    private let reportFailure: @Sendable (BackgroundFailure) -> Void
    /// One for each entity.
    ///
    /// The turn keeps writes apart; the lock is for the compiler and for closing.
    private let sequences: Lock<[IDSequence]>

    init(
        store: any PersistentStore, reportFailure: @escaping @Sendable (BackgroundFailure) -> Void
    ) throws {
        self.store = store
        self.reportFailure = reportFailure
        sequences = Lock(
            try store.writer.withSession { session in
                try store.schema.entities.enumerated().map { position, entity in
                    IDSequence(
                        highest: entity.hasIntegerID ? try session.highestID(of: position) : 0)
                }
            })
    }

    /// Runs a closure as a unit of work.
    ///
    /// When this returns, the changes are committed; when it throws, nothing of them remains.
    func perform<R>(
        _ interruption: Interruption?, _ body: (WriteContext) throws -> R
    ) throws -> R {
        try requireWritable()
        let context = WriteContext(
            schema: store.schema, writer: store.writer, sequences: sequences.withLock { $0 },
            interruption: interruption)
        defer { context.end() }
        do {
            try interruption?.begin(store.writer)
            let result = try body(context)
            let hasChanges = try context.finish()
            try interruption?.settle()
            if hasChanges { try store.writer.withSession { try $0.commit() } }
            keepSequences(of: context, committed: true)
            return result
        } catch {
            rollback()
            keepSequences(of: context, committed: false)
            throw interruption?.translate(error) ?? error
        }
    }

    /// Deletes every row.
    ///
    /// IDs that were handed out stay so.
    func reset() throws {
        try requireWritable()
        do {
            try store.writer.withSession { session in
                try session.begin()
                try session.deleteEverything()
                try session.commit()
            }
        } catch {
            rollback()
            throw error
        }
    }

    /// Makes everything that was committed survive the loss of power.
    func sync() throws { try store.writer.withSession { try $0.sync() } }

    /// Lowers the limits of IDs to what was used, so that no ID is skipped by closing.
    func finish() throws {
        let unused = sequences.withLock { sequences in
            sequences.enumerated().filter { $1.reserved > $1.highest }
        }
        guard !unused.isEmpty, !store.isReadOnly else { return }
        do {
            try store.writer.withSession { session in
                try session.begin()
                try session.apply(unused.map { .reserveIDs(entity: $0, upTo: $1.highest) })
                try session.commit()
            }
        } catch {
            rollback()
            throw error
        }
    }

    /// IDs that were handed out stay handed out even if the write failed; the limits count only
    /// if they were committed.
    private func keepSequences(of context: WriteContext, committed: Bool) {
        sequences.withLock { sequences in
            for (index, used) in context.sequences.enumerated() {
                sequences[index].skip(to: used.highest)
                if committed { sequences[index].reserved = used.reserved }
            }
        }
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

    private func rollback() {
        do {
            try store.writer.withSession { try $0.rollback() }
        } catch {
            reportFailure(BackgroundFailure(operation: .rollback, error: error))
        }
    }
}
