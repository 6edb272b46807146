#if RequestCore
import SkiathosLocks
import SkiathosCore
import Synchronization

/// The claimed keys of a store: each key has one delivery at a time among all of its queues.
///
/// A store belongs to one process at a time, so no other process can deliver from it.
final class QueueClaims: Sendable {
    /// The claimed keys, with the callbacks to call when each is released.
    private let claims = Lock<[String: [ObjectIdentifier: @Sendable () -> Void]]>([:])

    /// Claims a key; returns false if another delivery has it.
    ///
    /// - Parameter released: Called once when the key is released, if it could not be claimed;
    ///   one for each queue.
    func claim(
        _ key: String, for queue: ObjectIdentifier, released: @escaping @Sendable () -> Void
    ) -> Bool {
        claims.withLock { claims in
            guard claims[key] != nil else {
                claims[key] = [:]
                return true
            }
            claims[key]?[queue] = released
            return false
        }
    }

    /// Releases a key.
    func release(_ key: String) {
        let waiting = claims.withLock { $0.removeValue(forKey: key) }
        for released in (waiting ?? [:]).values { released() }
    }
}

extension DataAccessLayer {
    /// The claimed keys of this store.
    var queueClaims: QueueClaims { attachment { QueueClaims() } }
}
#endif
