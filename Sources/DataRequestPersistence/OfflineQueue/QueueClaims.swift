#if RequestCore
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

    /// The keys that are taken, and who wants to hear when each is given back.
    private static let claims = Lock<[Claim: [ObjectIdentifier: @Sendable () -> Void]]>([:])

    /// Takes a key; returns false if somebody else delivers it.
    ///
    /// - Parameter released: Called once when the key is given back, if it could not be taken; one
    ///   for each queue.
    static func take(
        _ key: String, _ dal: DataAccessLayer, for queue: ObjectIdentifier,
        released: @escaping @Sendable () -> Void
    ) -> Bool {
        claims.withLock { claims in
            let claim = Claim(store: ObjectIdentifier(dal), key: key)
            if claims[claim] == nil {
                claims[claim] = [:]
                return true
            }
            claims[claim]?[queue] = released
            return false
        }
    }

    static func release(_ key: String, _ dal: DataAccessLayer) {
        let waiting = claims.withLock {
            $0.removeValue(forKey: Claim(store: ObjectIdentifier(dal), key: key))
        }
        for released in (waiting ?? [:]).values { released() }
    }
}
#endif
