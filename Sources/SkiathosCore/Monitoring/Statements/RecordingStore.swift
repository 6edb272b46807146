import SkiathosStore

/// A store whose statements are passed to a logger at the end of each use of a connection.
///
/// It stands between the contexts and a backend only where statements are logged, so that other
/// stores pay nothing.
final class RecordingStore: PersistentStore {
    private let base: any PersistentStore
    let readers: [any StoreReader]
    let writer: any StoreWriter

    init(_ base: any PersistentStore, _ logger: StatementLogger) {
        self.base = base
        readers = base.readers.map { RecordingReader($0, logger) }
        writer = RecordingWriter(base.writer, logger)
    }

    var schema: StoreSchema { base.schema }
    var isReadOnly: Bool { base.isReadOnly }

    func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup {
        try base.beginBackup(to: path, overwriting: overwriting)
    }

    func watchCommits(
        every interval: Duration, _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) -> (any CommitWatch)? {
        base.watchCommits(every: interval, report)
    }

    func close() throws { try base.close() }
}

private final class RecordingReader: StoreReader {
    private let base: any StoreReader
    private let logger: StatementLogger

    init(_ base: any StoreReader, _ logger: StatementLogger) {
        self.base = base
        self.logger = logger
    }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        try base.read { (session: any StoreSession) -> Void in
            defer { logger.collect(session) }
            try body(session)
        }
    }

    var supportsCancellationChecks: Bool { base.supportsCancellationChecks }

    func interrupt() { base.interrupt() }
}

private final class RecordingWriter: StoreWriter {
    private let base: any StoreWriter
    private let logger: StatementLogger

    init(_ base: any StoreWriter, _ logger: StatementLogger) {
        self.base = base
        self.logger = logger
    }

    func read(_ body: (any StoreSession) throws -> Void) throws {
        try base.read { (session: any StoreSession) -> Void in
            defer { logger.collect(session) }
            try body(session)
        }
    }

    func withSession(_ body: (any StoreWriteSession) throws -> Void) throws {
        try base.withSession { (session: any StoreWriteSession) -> Void in
            defer { logger.collect(session) }
            try body(session)
        }
    }

    func prepareSync() { base.prepareSync() }
    func sync() throws { try base.sync() }
    func willClose() { base.willClose() }
    func interrupt() { base.interrupt() }
}
