#if RequestCore
public import HTTPTypes
public import Logging
public import Metrics
public import SkiathosPlatformFoundation

extension DataRequestService {
    /// The defaults of a service, which a request may override.
    public struct Configuration: Sendable {
        /// The largest answer that is held in memory, in bytes; larger ones fail with `tooLarge`.
        public var maximumBodySize = 16 << 20
        /// The clock for waits between attempts and for time limits.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// Changes each request before it is resolved: its headers, query and parameters.
        ///
        /// It runs once for a call, with the environment that the call goes to, before all
        /// other steps. The call throws the errors of the closure.
        public var prepare: (@Sendable (inout DataRequest, ServerEnvironment) async throws -> Void)?
        /// Custom steps that run once for a call, outermost first.
        ///
        /// They run once more if a response broke off in its body and the whole call is
        /// repeated.
        ///
        /// They see no credentials of an authoriser.
        public var interceptors: [any RequestInterceptor] = []
        /// Custom steps that run for every exchange with a server, outermost first.
        ///
        /// Exchanges are attempts, redirects and repetitions after a refresh of credentials.
        ///
        /// They see requests as they are sent, the credentials included.
        public var networkInterceptors: [any RequestInterceptor] = []
        /// Bounds of the cache for conditional requests; nil caches nothing.
        public var conditionalRequests: ConditionalRequestPolicy?
        /// When failed requests are retried.
        public var retry = RetryPolicy.standard
        /// When calls to a failing host are suspended; nil never suspends them.
        public var circuitBreaker: CircuitBreakerPolicy?
        /// When the base host counts as unreachable, and whether it is probed then.
        public var reachability = ReachabilityPolicy()
        /// Which redirects are followed.
        public var redirects = RedirectPolicy.follow(max: 10)
        /// Headers that are not sent on when a redirect leads to another origin, besides
        /// `Authorization`, `Cookie`, `Proxy-Authorization` and those of the environment.
        ///
        /// Responses to requests that carry one with another value than the environment's are
        /// not cached for conditional requests.
        public var sensitiveHeaders: Set<HTTPField.Name> = []
        /// Whether requests to external hosts may go over http.
        public var allowsExternalCleartext = false
        /// A number from 0 up to, but without, 1, for the jitter of waits.
        public var random: @Sendable () -> Double = { Double.random(in: 0..<1) }
        /// How long calls in flight may take to finish when a service group shuts down.
        public var shutdownDeadline: Duration = .seconds(20)
        /// Logs exchanges at the level debug, and errors that cannot be thrown at info.
        public var logger = Logger(label: "DataRequestService")
        /// The factory of the metrics; nil takes the current one when the service is made.
        public var metricsFactory: (any MetricsFactory)?

        /// Which answers are decompressed, and how large they may become.
        public var decompression = Decompression()
        /// The serializers that read responses by media type; the last one that reads a type
        /// is used.
        public var serializers: [any ResponseSerializer] = ResponseSerializers.standard
        /// The default decoder of JSON.
        ///
        /// It decodes responses, bodies of unexpected statuses, streamed elements and syncs,
        /// unless a request or a serializer names a decoder of its own.
        ///
        /// ```swift
        /// configuration.decoder.dateDecodingStrategy = .iso8601
        /// configuration.decoder.keyDecodingStrategy = .convertFromSnakeCase
        /// ```
        ///
        /// Do not change the decoder once a service has the configuration. Copies of a
        /// configuration share it; set a new decoder on a copy that needs a different one.
        public var decoder = JSONDecoder()
        /// The type that an answer without `Content-Type` is taken for; nil refuses to decode it.
        public var assumedMediaType: MediaType? = .json
        /// Makes the encoder for values that one-call functions send as JSON.
        public var makeJSONEncoder: @Sendable () -> JSONEncoder = { JSONEncoder() }
        /// The default type that bodies of unexpected statuses are decoded to.
        public var failureBody: FailureBody?
        /// How much of the body of an unexpected status is kept, in bytes.
        public var maximumFailureBodySize = 64 << 10
        /// How long to wait for the body of an unexpected status.
        public var failureBodyTimeLimit: Duration = .seconds(5)

        /// Makes a configuration with the defaults.
        public init() {}
    }
}
#endif
