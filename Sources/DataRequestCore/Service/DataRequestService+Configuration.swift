#if RequestCore
public import HTTPTypes
public import Logging
public import Metrics
public import PlatformFoundation

extension DataRequestService {
    /// What a service does unless a request says otherwise.
    public struct Configuration: Sendable {
        /// The largest answer that is held in memory, in bytes; larger ones fail with `tooLarge`.
        public var maximumBodySize = 16 << 20
        /// What waits between attempts and measures limits of time.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// Changes each request before it is resolved: its headers, query and parameters.
        ///
        /// It runs once for a call, with the environment that the call goes to, and before all
        /// other steps. What it throws is what the call throws.
        public var prepare: (@Sendable (inout DataRequest, ServerEnvironment) async throws -> Void)?
        /// Steps of one's own, outermost first, each run once for a call, and once more if an
        /// answer broke off in its body and the whole is repeated.
        ///
        /// They see no credentials of an authoriser.
        public var interceptors: [any RequestInterceptor] = []
        /// Steps of one's own, outermost first, each run for every exchange with a server:
        /// attempts, redirects and repetitions after a refresh of credentials.
        ///
        /// They see requests as they are sent, the credentials included.
        public var networkInterceptors: [any RequestInterceptor] = []
        /// How much of earlier answers is kept to ask whether they have changed; nil keeps none.
        public var conditionalRequests: ConditionalRequestPolicy?
        /// When requests that failed are tried again.
        public var retry = RetryPolicy.standard
        /// When a host that fails is left alone for a while; nil asks it each time.
        public var circuitBreaker: CircuitBreakerPolicy?
        /// When the base host counts as unreachable, and whether it is probed then.
        public var reachability = ReachabilityPolicy()
        /// Which redirects are followed.
        public var redirects = RedirectPolicy.follow(max: 10)
        /// Headers that are not sent on when a redirect leads to another origin, besides
        /// `Authorization`, `Cookie`, `Proxy-Authorization` and those of the environment.
        public var sensitiveHeaders: Set<HTTPField.Name> = []
        /// Whether requests to foreign hosts may go over http.
        public var allowsForeignCleartext = false
        /// A number from 0 up to, but without, 1, for the jitter of waits.
        public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
        /// How long calls in flight may take to finish when a service group shuts down.
        public var shutdownDeadline: Duration = .seconds(20)
        /// Where exchanges are reported, at the level debug, and what cannot be thrown, at info.
        public var logger = Logger(label: "DataRequestService")
        /// What makes the metrics; nil takes the one that is current when the service is made.
        public var metricsFactory: (any MetricsFactory)?

        /// Which answers are decompressed, and how large they may become.
        public var decompression = Decompression()
        /// What reads answers, by their media type; the last that reads a type is the one that does.
        public var serializers: [any ResponseSerializer] = ResponseSerializers.standard
        /// What decodes JSON, unless a request or a serializer names a decoder of its own: answers,
        /// bodies of unexpected statuses, streamed elements and syncs.
        ///
        /// ```swift
        /// configuration.decoder.dateDecodingStrategy = .iso8601
        /// configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        /// ```
        ///
        /// It is not to be changed once a service has the configuration. Copies of a configuration
        /// share it; give a copy that is to have another one a new one.
        public var decoder = JSONDecoder()
        /// The type that an answer without `Content-Type` is taken for; nil refuses to decode it.
        public var assumedMediaType: MediaType? = .json
        /// What makes the encoder of values that go out as JSON in one-call functions.
        public var makeJSONEncoder: @Sendable () -> JSONEncoder = { JSONEncoder() }
        /// What the bodies of unexpected statuses are decoded to unless a request says otherwise.
        public var failureBody: FailureBody?
        /// The largest start of the body of an unexpected status that is kept, in bytes.
        public var maximumFailureBodySize = 64 << 10
        /// How long to wait for the body of an unexpected status.
        public var failureBodyTimeLimit: Duration = .seconds(5)

        /// Makes a configuration with the defaults.
        public init() {}
    }
}
#endif
