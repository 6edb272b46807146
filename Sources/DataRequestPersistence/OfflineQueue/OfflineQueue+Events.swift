#if RequestCore
public import SkiathosPlatformFoundation

extension OfflineQueue {
    /// The outcome of an attempt to deliver a request.
    public enum Event: Sendable, Hashable {
        /// It was delivered and removed.
        case delivered(QueuedRequest.ID, key: String)
        /// It has failed, and will be retried; its key waits until then.
        case postponed(QueuedRequest.ID, key: String, code: String, until: Date)
        /// It was dead-lettered.
        case deadLettered(QueuedRequest.ID, key: String, code: String)
    }

    /// The report of ``deliverNow()``.
    public struct DeliveryReport: Sendable, Hashable {
        /// How many were delivered.
        public internal(set) var delivered = 0
        /// How many have failed and will be retried.
        public internal(set) var postponed = 0
        /// How many were dead-lettered.
        public internal(set) var deadLettered = 0
        /// How many are still pending.
        public internal(set) var waiting = 0

        /// Makes a report, for tests of code that takes one.
        public init(
            delivered: Int = 0, postponed: Int = 0, deadLettered: Int = 0, waiting: Int = 0
        ) {
            self.delivered = delivered
            self.postponed = postponed
            self.deadLettered = deadLettered
            self.waiting = waiting
        }
    }

    /// The numbers of queued requests.
    public struct Counts: Sendable, Hashable {
        /// How many are pending.
        public var pending: Int
        /// How many are dead letters.
        public var deadLetters: Int

        /// Makes numbers, for tests of code that takes them.
        public init(pending: Int = 0, deadLetters: Int = 0) {
            self.pending = pending
            self.deadLetters = deadLetters
        }
    }
}
#endif
