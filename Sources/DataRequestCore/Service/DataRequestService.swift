import HTTPTypes

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Sends requests to a backend and decodes what it answers.
///
/// ```swift
/// let service = DataRequestService(environment: production, transport: transport)
/// let track = try await service.get("tracks/7", as: Track.self)
/// // GET https://api.example.com/v1/tracks/7
/// ```
public final class DataRequestService: Sendable {
    /// What a service does unless a request says otherwise.
    public struct Configuration: Sendable {
        /// The largest answer that is held in memory, in bytes; larger ones fail with `tooLarge`.
        public var maximumBodySize = 16 << 20
        /// What waits between attempts and measures limits of time.
        public var clock: any Clock<Duration> = ContinuousClock()
        /// Steps of one's own, outermost first, each run once for a call.
        public var interceptors: [any RequestInterceptor] = []

        /// Which answers are decompressed, and how large they may become.
        public var decompression = Decompression()
        /// What reads answers, by their media type; the last that reads a type is the one that does.
        public var serializers: [any ResponseSerializer] = ResponseSerializers.standard
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

    let environment: ServerEnvironment
    let configuration: Configuration
    let pipeline: Pipeline

    /// Makes a service.
    ///
    /// - Parameters:
    ///   - environment: The backend.
    ///   - transport: What carries the requests; shut down together with the service.
    ///   - configuration: What a service does unless a request says otherwise.
    public init(
        environment: ServerEnvironment, transport: any HTTPTransport,
        configuration: Configuration = Configuration()
    ) {
        self.environment = environment
        self.configuration = configuration
        pipeline = Pipeline(
            steps: configuration.interceptors + BodySteps.interceptors(for: configuration),
            transport: transport)
    }

    /// Sends a request and hands the answer to a closure, as one operation.
    ///
    /// - Parameter consume: Reads what it needs of the answer, whatever its status; called anew if
    ///   the operation is tried again.
    func perform<Value: Sendable>(
        _ request: DataRequest,
        consume: @escaping @Sendable (IncomingResponse) async throws -> Value
    ) async throws -> Value {
        try await consume(pipeline.send(request.resolved(in: environment)))
    }

    /// Sends a request and returns the head of the answer with its body as a stream.
    ///
    /// - Throws: `DataRequestError`; `unexpectedStatus` for a status that the request does not
    ///   expect.
    public func response(for request: DataRequest) async throws -> IncomingResponse {
        try await perform(request) { try await self.checked($0, for: request) }
    }
}
