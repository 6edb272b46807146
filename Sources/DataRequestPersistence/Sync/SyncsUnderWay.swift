#if RequestCore
import Locks
import SkiathosCore
import Synchronization

/// The running syncs of this process, and the keys that the queue has delivered meanwhile.
///
/// Only one sync of a name runs at a time.
///
/// A store belongs to one process at a time, so no other process can sync it. This is no
/// registry: nothing can be looked up in it, and an entry retains nothing once its call has
/// ended.
enum SyncsUnderWay {
    private struct Key: Hashable {
        let store: ObjectIdentifier
        let name: String
    }

    /// The keys of requests that were delivered since the current page was requested, by sync.
    private static let delivered = Lock<[Key: Set<String>]>([:])

    /// Claims a name; returns false if it is already claimed.
    static func begin(_ name: String, _ dal: DataAccessLayer) -> Bool {
        delivered.withLock { all in
            let key = Key(store: ObjectIdentifier(dal), name: name)
            guard all[key] == nil else { return false }
            all[key] = []
            return true
        }
    }

    static func end(_ name: String, _ dal: DataAccessLayer) {
        delivered.withLock {
            _ = $0.removeValue(forKey: Key(store: ObjectIdentifier(dal), name: name))
        }
    }

    /// Called before a page is requested, which will reflect all earlier deliveries.
    static func willAsk(_ name: String, _ dal: DataAccessLayer) {
        delivered.withLock { $0[Key(store: ObjectIdentifier(dal), name: name)]? = [] }
    }

    /// Called when a request of a key was delivered, before it is removed from the queue.
    static func willForget(_ key: String, _ dal: DataAccessLayer) {
        let store = ObjectIdentifier(dal)
        delivered.withLock { all in
            for name in all.keys where name.store == store { all[name]?.insert(key) }
        }
    }

    /// Whether a request of a key was delivered since the current page was requested.
    static func wasDelivered(_ key: String, _ name: String, _ dal: DataAccessLayer) -> Bool {
        delivered.withLock {
            $0[Key(store: ObjectIdentifier(dal), name: name)]?.contains(key) ?? false
        }
    }
}
#endif
