import Skiathos
import Synchronization

/// How long the connection that writes was held.
final class HeldConnection: Sendable {
    private let times = Mutex((total: Duration.zero, longest: Duration.zero))

    /// A source whose store is watched.
    func watching(_ source: StoreSource) -> StoreSource {
        StoreSource(
            description: source.description,
            open: { [self] in WatchedStore(try source.open($0, $1), self) })
    }

    /// The times since they were last taken: in all, and without a pause.
    func take() -> (total: Duration, longest: Duration) {
        times.withLock { times in
            defer { times = (.zero, .zero) }
            return times
        }
    }

    fileprivate func add(_ time: Duration) {
        times.withLock { $0 = ($0.total + time, max($0.longest, time)) }
    }
}

private final class WatchedStore: PersistentStore {
    private let base: any PersistentStore
    let writer: any StoreWriter

    init(_ base: any PersistentStore, _ held: HeldConnection) {
        self.base = base
        writer = WatchedWriter(base: base.writer, held: held)
    }

    var schema: StoreSchema { base.schema }
    var readers: [any StoreReader] { base.readers }
    var isReadOnly: Bool { base.isReadOnly }
    func close() throws { try base.close() }

    func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup {
        try base.beginBackup(to: path, overwriting: overwriting)
    }
}

private final class WatchedWriter: StoreWriter {
    private let base: any StoreWriter
    private let held: HeldConnection

    init(base: any StoreWriter, held: HeldConnection) {
        self.base = base
        self.held = held
    }

    func withSession(_ body: (any StoreWriteSession) throws -> Void) throws {
        try base.withSession { session in
            let start = ContinuousClock.now
            defer { held.add(.now - start) }
            try body(session)
        }
    }

    func read(_ body: (any StoreSession) throws -> Void) throws { try base.read(body) }
    func interrupt() { base.interrupt() }
    func sync() throws { try base.sync() }
}
