#if RequestCore
import SkiathosLocks
import Synchronization

/// Counts the outcomes of concurrent deliveries.
final class DeliveryCounts: Sendable {
    private let counts = Lock(OfflineQueue.DeliveryReport())

    var report: OfflineQueue.DeliveryReport { counts.withLock { $0 } }

    func add(_ outcome: OfflineQueue.Outcome) {
        counts.withLock { counts in
            switch outcome {
            case .delivered: counts.delivered += 1
            case .postponed: counts.postponed += 1
            case .deadLettered: counts.deadLettered += 1
            case .cancelled: break
            }
        }
    }
}
#endif
