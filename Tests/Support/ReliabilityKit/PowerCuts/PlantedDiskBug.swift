import SkiathosStore

/// A mistake that would lose what was promised, to see that ``PowerCutRun`` finds it.
package enum PlantedDiskBug: String, Sendable, CaseIterable {
    /// The disk says that the log is synced, and it is not.
    case lyingBarrier = "a barrier that lies"
    /// The disk says that the main file is synced, and it is not.
    case lyingCheckpoint = "a checkpoint that lies"
    /// New files are synced, their names are not.
    case lostDirectorySync = "a lost directory sync"
    /// The store acknowledges without a sync.
    case acknowledgementBeforeSync = "an acknowledgement before the sync"
    /// The store believes a sync that succeeds after one that has failed.
    case repeatedSync = "a failed sync that is repeated"
    /// The store goes on after a checkpoint that could not sync the log.
    case swallowedCheckpointError = "a swallowed checkpoint error"

    /// Plants the mistake.
    package func plant(in run: inout PowerCutRun) {
        switch self {
        case .lyingBarrier: run.lies = .logSync
        case .lyingCheckpoint: run.lies = .mainSync
        case .lostDirectorySync: run.lies = .directorySync
        case .acknowledgementBeforeSync:
            run.wrap = { _, store in ForwardingStore(store, sync: { _ in }) }
        case .repeatedSync:
            run.fault = { Fault(.sync, .log, after: $0.below(10), result: 1034) }
            run.wrap = { _, store in
                ForwardingStore(
                    store,
                    sync: { writer in
                        do { try writer.sync() } catch { try writer.sync() }
                    })
            }
        case .swallowedCheckpointError:
            run.wrap = { volume, store in
                ForwardingStore(store, session: { SwallowingSession($0, volume) })
            }
        }
    }
}

/// Has each checkpoint fail to sync the log, and tells nobody.
private final class SwallowingSession: ForwardingSession {
    private let volume: Volume

    init(_ base: any StoreWriteSession, _ volume: Volume) {
        self.volume = volume
        super.init(base)
    }

    override func checkpoint() throws {
        volume.fail(Fault(.sync, .log, result: 1034))
        defer { volume.fail(nil) }
        try? base.checkpoint()
    }
}
