#if RequestCore
import SkiathosLocks
import SkiathosCore
import Synchronization

/// The running syncs of a store, and the keys that its queues have delivered meanwhile.
///
/// Only one sync of a name runs at a time. A store belongs to one process at a time, so no other
/// process can sync it.
final class SyncsUnderWay: Sendable {
    /// The keys of requests that were delivered during a sync.
    private struct Delivered {
        /// Those since the current page was requested.
        var sincePage: Set<String> = []
        /// Those since the first page was requested.
        var sinceBeginning: Set<String> = []
    }

    /// What was delivered, by the name of the sync.
    private let delivered = Lock<[String: Delivered]>([:])

    /// Claims a name; returns false if it is already claimed.
    func begin(_ name: String) -> Bool {
        delivered.withLock { all in
            guard all[name] == nil else { return false }
            all[name] = Delivered()
            return true
        }
    }

    /// Releases a name.
    func end(_ name: String) { delivered.withLock { _ = $0.removeValue(forKey: name) } }

    /// Called before a page is requested, which will reflect all earlier deliveries; the first
    /// one does so for the whole run.
    func willRequestPage(_ name: String, isFirst: Bool) {
        delivered.withLock { all in
            all[name]?.sincePage = []
            if isFirst { all[name]?.sinceBeginning = [] }
        }
    }

    /// Called when a request of a key was delivered, before it is removed from the queue.
    func recordDelivery(of key: String) {
        delivered.withLock { all in
            for name in all.keys {
                all[name]?.sincePage.insert(key)
                all[name]?.sinceBeginning.insert(key)
            }
        }
    }

    /// Whether a request of a key was delivered since the current page was requested.
    func wasDelivered(_ key: String, _ name: String) -> Bool {
        delivered.withLock { $0[name]?.sincePage.contains(key) ?? false }
    }

    /// The keys of requests that were delivered since the sync has requested the first page.
    func deliveredSinceBeginning(_ name: String) -> Set<String> {
        delivered.withLock { $0[name]?.sinceBeginning ?? [] }
    }
}

extension DataAccessLayer {
    /// The running syncs of this store.
    var syncsUnderWay: SyncsUnderWay { attachment { SyncsUnderWay() } }
}
#endif
