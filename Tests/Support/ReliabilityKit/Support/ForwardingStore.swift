package import SkiathosStore

/// A store that does what another one does, with sessions or readers of its own.
package final class ForwardingStore: PersistentStore {
    private let base: any PersistentStore
    package let readers: [any StoreReader]
    package let writer: any StoreWriter

    /// - Parameters:
    ///   - reader: Makes the reader that stands for one of the store's.
    ///   - sync: Syncs with the store's writer.
    ///   - interrupt: Interrupts one of the store's connections, also at the cancellation of a read, which
    ///     otherwise checks for it itself.
    ///   - session: Makes the session that stands for one of the writer's.
    package init(
        _ base: any PersistentStore,
        reader: (any StoreReader) -> any StoreReader = { $0 },
        sync: @escaping @Sendable (any StoreWriter) throws -> Void = { try $0.sync() },
        interrupt: (@Sendable (any StoreReader) -> Void)? = nil,
        session: @escaping @Sendable (any StoreWriteSession) -> any StoreWriteSession = { $0 }
    ) {
        self.base = base
        readers = base.readers.map {
            guard let interrupt else { return reader($0) }
            return InterceptedReader(base: reader($0), interrupt: interrupt)
        }
        writer = ForwardingWriter(
            base: base.writer, sync: sync, interrupt: interrupt ?? { $0.interrupt() },
            session: session)
    }

    package var schema: StoreSchema { base.schema }
    package var isReadOnly: Bool { base.isReadOnly }
    package func close() throws { try base.close() }

    package func watchCommits(
        every interval: Duration, _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) -> (any CommitWatch)? {
        base.watchCommits(every: interval, report)
    }

    package func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup {
        try base.beginBackup(to: path, overwriting: overwriting)
    }
}

private final class InterceptedReader: ForwardingReader {
    let base: any StoreReader
    let interruptBase: @Sendable (any StoreReader) -> Void

    init(base: any StoreReader, interrupt: @escaping @Sendable (any StoreReader) -> Void) {
        self.base = base
        interruptBase = interrupt
    }

    func interrupt() { interruptBase(base) }
    var supportsCancellationChecks: Bool { false }
}

private final class ForwardingWriter: StoreWriter {
    let base: any StoreWriter
    let synchronise: @Sendable (any StoreWriter) throws -> Void
    let interruptBase: @Sendable (any StoreReader) -> Void
    let session: @Sendable (any StoreWriteSession) -> any StoreWriteSession

    init(
        base: any StoreWriter, sync: @escaping @Sendable (any StoreWriter) throws -> Void,
        interrupt: @escaping @Sendable (any StoreReader) -> Void,
        session: @escaping @Sendable (any StoreWriteSession) -> any StoreWriteSession
    ) {
        self.base = base
        synchronise = sync
        interruptBase = interrupt
        self.session = session
    }

    func withSession(_ body: (any StoreWriteSession) throws -> Void) throws {
        try base.withSession { try body(session($0)) }
    }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        // Where reads have no connections of their own, sessions that write serve them.
        try base.read { try body(($0 as? any StoreWriteSession).map(session) ?? $0) }
    }

    func interrupt() { interruptBase(base) }
    func prepareSync() { base.prepareSync() }
    func sync() throws { try synchronise(base) }
    func willClose() { base.willClose() }
}

extension StoreSource {
    /// The same place, with a closure around every store that is opened there.
    package func mapped(
        _ change: @escaping @Sendable (any PersistentStore) -> any PersistentStore
    ) -> StoreSource {
        StoreSource(description: description) { schema, options in
            change(try self.open(schema, options))
        }
    }
}
