#if RequestCore
public import HTTPTypes
public import PlatformFoundation
public import SkiathosCore

extension OfflineQueue {
    /// How a queue delivers.
    public struct Configuration: Sendable {
        /// What happens to the requests of a key behind one that was set aside.
        public enum Poisoning: Sendable {
            /// They wait until it was retried or discarded: the order of a key is never broken.
            case blockKey
            /// They are delivered without it.
            case passOver
        }

        /// How many keys are delivered at the same time, at least 1; 4 by default.
        public var maximumConcurrency = 4
        /// How long a key waits after a first failure; 1 s by default.
        ///
        /// It doubles with every failure.
        public var firstDelay = Duration.seconds(1)
        /// How long a key waits at the most; 5 minutes by default.
        public var maximumDelay = Duration.seconds(300)
        /// How long a key waits at the most because a server has asked for it; a day by default.
        public var maximumAskedDelay = Duration.seconds(86_400)
        /// After how many failed attempts that have reached the server a request is set aside that might
        /// succeed later; never if nil.
        ///
        /// Attempts without a network, or while the circuit is open, do not count.
        public var maximumAttempts: Int?
        /// What happens to the requests of a key behind one that was set aside.
        public var poisoning = Poisoning.blockKey
        /// Whether a status means that the request would be refused again; by default from 300 to
        /// 499 but for 401, 408, 425 and 429: after signing in again the same request may succeed.
        public var isPermanent: @Sendable (HTTPResponse.Status) -> Bool = { status in
            (300..<500).contains(status.code) && ![401, 408, 425, 429].contains(status.code)
        }
        /// How much of an answer is kept for ``onDelivered``, in bytes; 1 MiB by default.
        public var maximumAnswerSize = 1 << 20
        /// How far the removal of a delivered request goes before the next one is sent.
        ///
        /// `.durable` by default. With less, the loss of power leads to repetitions, never to loss.
        public var removal = Acknowledgement.durable
        /// Stores what a server has answered, in the write that removes the request.
        ///
        /// If it throws, the request is set aside with the code `answerNotStored`, and nothing of that write is kept.
        public var onDelivered:
            (@Sendable (QueuedRequest, QueueAnswer, WriteContext) throws -> Void)?
        /// What waits for the time of the next delivery.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// The time of day, by which times are kept that outlive the process.
        public var now: @Sendable () -> Date = { Date() }
        /// A number from 0 up to 1, by which delays are spread.
        public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

        /// Makes a configuration with the defaults.
        public init() {}

        /// How long to wait after so many failures: between half and the whole of what doubles.
        func delay(afterFailures count: Int, asked: Duration?) -> Duration {
            let doubled = firstDelay * pow2(min(max(0, count - 1), 40))
            let own = min(doubled, maximumDelay) * (0.5 + random() / 2)
            return max(own, min(asked ?? .zero, maximumAskedDelay))
        }

        private func pow2(_ exponent: Int) -> Int { 1 << exponent }
    }
}

/// The answer to a request that was delivered.
public struct QueueAnswer: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The headers.
    public var headers: HTTPFields
    /// The body, or its beginning if it is larger than a queue keeps.
    public var body: Data
    /// Whether that is all of it.
    public var isWhole: Bool

    /// Makes an answer, for tests of code that takes one.
    public init(
        status: HTTPResponse.Status, headers: HTTPFields = [:], body: Data = Data(),
        isWhole: Bool = true
    ) {
        self.status = status
        self.headers = headers
        self.body = body
        self.isWhole = isWhole
    }
}
#endif
