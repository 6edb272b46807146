#if RequestCore
import Locks
import SkiathosCore
import Synchronization

/// The syncs of this process that are under way, so that there is one of each name, and what was
/// delivered from the queue meanwhile.
///
/// A store belongs to one process at a time, so nobody else can be at work on it. It is no registry:
/// nothing can be found by it, and what stands in it holds on to nothing once its call has ended.
enum SyncsUnderWay {
    private struct Key: Hashable {
        let store: ObjectIdentifier
        let name: String
    }

    /// The keys of requests that were delivered since the present page was asked for, by sync.
    private static let delivered = Lock<[Key: Set<String>]>([:])

    /// Takes a name; returns false if it is taken.
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

    /// A page is about to be asked for, which will know of everything that was delivered before.
    static func willAsk(_ name: String, _ dal: DataAccessLayer) {
        delivered.withLock { $0[Key(store: ObjectIdentifier(dal), name: name)]? = [] }
    }

    /// A request of a key was delivered, and is about to leave the queue.
    static func willForget(_ key: String, _ dal: DataAccessLayer) {
        let store = ObjectIdentifier(dal)
        delivered.withLock { all in
            for name in all.keys where name.store == store { all[name]?.insert(key) }
        }
    }

    /// Whether a request of a key was delivered since the present page was asked for.
    static func wasDelivered(_ key: String, _ name: String, _ dal: DataAccessLayer) -> Bool {
        delivered.withLock {
            $0[Key(store: ObjectIdentifier(dal), name: name)]?.contains(key) ?? false
        }
    }
}
#endif
