#if RequestCore
import Locks
import SkiathosCore
import Synchronization

/// The claimed keys: each key has one delivery at a time among all queues of this process.
///
/// A store belongs to one process at a time, so no other process can deliver from it.
enum QueueClaims {
    private struct Claim: Hashable {
        let store: ObjectIdentifier
        let key: String
    }

    /// The claimed keys, with the callbacks to call when each is released.
    private static let claims = Lock<[Claim: [ObjectIdentifier: @Sendable () -> Void]]>([:])

    /// Claims a key; returns false if another delivery has it.
    ///
    /// - Parameter released: Called once when the key is released, if it could not be claimed;
    ///   one for each queue.
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
