import SkiathosLocks
import SkiathosStore
import Synchronization

extension AccessCoordinator {
    /// The condition of the store, of which each part was true at a moment of the call.
    ///
    /// Takes locks that are held for moments alone, never that of `isStoreClosed`.
    var health: StoreHealth {
        // In a child another thread of the parent may have held one of the locks.
        guard !isForked else { return StoreHealth(state: .forked) }
        let (isClosing, isClosed, problem) = closing.withLock {
            ($0.hasBegun, $0.hasEnded, $0.failure as? StoreError)
        }
        let failure = commits.failure ?? problem
        let state: StoreHealth.State =
            if isClosed {
                .closed
            } else if isClosing {
                .closing
            } else if failure != nil {
                .failing
            } else {
                store.isReadOnly ? .readOnly : .open
            }
        return StoreHealth(
            state: state, failure: failure, walSize: isClosed ? nil : monitor.walSize,
            waitingWrites: commits.queuedWrites,
            waitingReads: connections == .pool ? main.gate.waitingCount : 0,
            oldestRead: main.gate.oldestHolder.map { StoreHealth.Read($0) })
    }
}

extension StoreHealth.Read {
    init(_ read: RunningRead) {
        self.init(place: "\(read.place)", age: read.start.duration(to: .now))
    }
}
