#if RequestCore
public import PlatformFoundation

extension OfflineQueue {
    /// What has become of an attempt to deliver a request.
    public enum Event: Sendable, Hashable {
        /// It was delivered and removed.
        case delivered(QueuedRequest.ID, key: String)
        /// It has failed, and will be tried again; its key waits until then.
        case postponed(QueuedRequest.ID, key: String, code: String, until: Date)
        /// It was set aside.
        case poisoned(QueuedRequest.ID, key: String, code: String)
    }

    /// What ``deliverNow()`` has done.
    public struct DeliveryReport: Sendable, Hashable {
        /// How many were delivered.
        public internal(set) var delivered = 0
        /// How many have failed and will be tried again.
        public internal(set) var postponed = 0
        /// How many were set aside.
        public internal(set) var poisoned = 0
        /// How many wait afterwards.
        public internal(set) var waiting = 0

        /// Makes a report, for tests of code that takes one.
        public init(
            delivered: Int = 0, postponed: Int = 0, poisoned: Int = 0, waiting: Int = 0
        ) {
            self.delivered = delivered
            self.postponed = postponed
            self.poisoned = poisoned
            self.waiting = waiting
        }
    }

    /// How many requests there are.
    public struct Counts: Sendable, Hashable {
        /// How many wait for their delivery.
        public var pending: Int
        /// How many were set aside.
        public var poisoned: Int

        /// Makes numbers, for tests of code that takes them.
        public init(pending: Int = 0, poisoned: Int = 0) {
            self.pending = pending
            self.poisoned = poisoned
        }
    }
}
#endif
