import Locks
import SkiathosCore
import Synchronization

/// The keys of which a request is being delivered, so that each key has one at a time, however many
/// queues of this process work on a store.
///
/// A store belongs to one process at a time, so no other process can deliver from it.
enum QueueClaims {
    private struct Claim: Hashable {
        let store: ObjectIdentifier
        let key: String
    }

    private static let claims = Lock<Set<Claim>>([])

    /// Takes a key; returns false if somebody else delivers it.
    static func take(_ key: String, _ dal: DataAccessLayer) -> Bool {
        claims.withLock { $0.insert(Claim(store: ObjectIdentifier(dal), key: key)).inserted }
    }

    static func release(_ key: String, _ dal: DataAccessLayer) {
        claims.withLock { _ = $0.remove(Claim(store: ObjectIdentifier(dal), key: key)) }
    }
}
