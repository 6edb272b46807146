#if RequestCore
public import HTTPTypes
public import SkiathosPlatformFoundation
public import SkiathosCore

extension OfflineQueue {
    /// The configuration of a queue.
    public struct Configuration: Sendable {
        /// What happens to the later requests of a key after a dead letter.
        public enum DeadLetterPolicy: Sendable {
            /// They wait until the dead letter is retried or discarded: the order of a key is
            /// never broken.
            case blockKey
            /// They are delivered; the dead letter is skipped.
            case passOver
        }

        /// How many keys are delivered at the same time, at least 1; 4 by default.
        public var maximumConcurrency = 4
        /// How long a key waits after a first failure; 1 s by default.
        ///
        /// It doubles with every failure.
        public var firstDelay = Duration.seconds(1)
        /// The longest wait of a key; 5 minutes by default.
        public var maximumDelay = Duration.seconds(300)
        /// The longest wait of a key because of `Retry-After`; a day by default.
        public var maximumAskedDelay = Duration.seconds(86_400)
        /// After how many failed attempts that have reached the server a request is
        /// dead-lettered, although a retry might succeed; never if nil.
        ///
        /// Attempts without a network, while the circuit is open, or that are refused before
        /// anything is sent, do not count.
        public var maximumAttempts: Int?
        /// What happens to the later requests of a key after a dead letter.
        public var deadLetterPolicy = DeadLetterPolicy.blockKey
        /// Whether a status is a permanent refusal.
        ///
        /// By default these are 300 to 499 except 401, 408, 425 and 429: after signing in
        /// again, for example, the same request may succeed.
        public var isPermanent: @Sendable (HTTPResponse.Status) -> Bool = { status in
            (300..<500).contains(status.code) && ![401, 408, 425, 429].contains(status.code)
        }
        /// How much of an answer is kept for ``onDelivered``, in bytes; 1 MiB by default.
        public var maximumAnswerSize = 1 << 20
        /// How safe the removal of a delivered request is before the next one is sent.
        ///
        /// `.durable` by default. With a lower level, a loss of power may repeat deliveries,
        /// but never lose one.
        public var removal = Acknowledgement.durable
        /// Stores the server's answer, in the write that removes the request.
        ///
        /// If it throws, the write is rolled back and the request is dead-lettered with the
        /// code `answerNotStored`.
        public var onDelivered:
            (@Sendable (QueuedRequest, QueueAnswer, WriteContext) throws -> Void)?
        /// The clock for the wait before the next delivery.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// The wall-clock time, for stored times, which outlive the process.
        public var now: @Sendable () -> Date = { Date() }
        /// A number from 0 up to 1, for the jitter of delays.
        public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }

        /// Makes a configuration with the defaults.
        public init() {}

        /// The wait after `count` failures: between half and the whole of a delay that doubles
        /// each time.
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
    /// Whether `body` is the whole body.
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
