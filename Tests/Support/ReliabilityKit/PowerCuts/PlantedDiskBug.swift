import SkiathosStore
import TestTools

/// A mistake that would lose what was promised, to see that ``PowerCutRun`` finds it.
package enum PlantedDiskBug: String, Sendable, CaseIterable {
    /// The disk reports the WAL as synced, and it is not.
    case lyingBarrier = "a barrier that lies"
    /// The disk says that the main file is synced, and it is not.
    case lyingCheckpoint = "a checkpoint that lies"
    /// New files are synced, their names are not.
    case lostDirectorySync = "a lost directory sync"
    /// The store acknowledges without a sync.
    case acknowledgementBeforeSync = "an acknowledgement before the sync"
    /// The store is not notified that a sync of the WAL has failed.
    case swallowedWALError = "a swallowed error of the WAL"
    /// The store is not notified that a sync of the main file has failed.
    case swallowedMainError = "a swallowed error of the main file"
    /// Opening trusts the mark of a checkpoint whose sync has failed.
    case trustedMark = "a mark that is trusted after a failed sync"

    /// Plants the mistake.
    package func plant(in run: inout PowerCutRun) {
        switch self {
        case .lyingBarrier: run.lies = .walSync
        case .lyingCheckpoint: run.lies = .mainSync
        case .lostDirectorySync: run.lies = .directorySync
        case .acknowledgementBeforeSync:
            run.wrap = { ForwardingStore($0, sync: { _ in }) }
        case .swallowedWALError:
            run.lies = .failedWALSync
            run.fault = { Fault(.sync, .wal, after: $0.below(10), result: 1034) }
        case .swallowedMainError:
            run.lies = .failedMainSync
            run.fault = PowerCutRun.checkpointFault
        case .trustedMark:
            run.lies = .checkpointMark
            run.hasOnlooker = true
            run.fault = PowerCutRun.checkpointFault
        }
    }
}
