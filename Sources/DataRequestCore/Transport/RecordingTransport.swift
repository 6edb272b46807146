#if RequestCore
public import HTTPTypes
import SkiathosLocks
public import SkiathosPlatformFoundation
import Synchronization

/// A transport that answers from a script and records requests, for tests.
///
/// ```swift
/// let transport = RecordingTransport()
///     .on(.get, "/v1/tracks/7", .json(#"{"title":"Solace"}"#))
///     .on(.post, "/v1/tracks", .failure(.connectionFailed), .status(.created))
/// let service = try DataRequestService(environment: test, transport: transport)
/// try await service.post("tracks", json: Track(title: "Solace"))
/// #expect(transport.requests(to: "/v1/tracks").count == 2)
/// ```
///
/// Nothing is sent over a network. A request that matches no rule fails with `noAnswer` and a
/// list of the rules, which shows methods and paths, but no headers, queries or bodies.
public final class RecordingTransport: HTTPTransport {
    /// A recorded request, with its body.
    public struct Sent: Sendable {
        /// The request.
        public var request: OutgoingRequest
        /// The bytes of its body, as far as they are kept.
        public var body: Data
        /// The number of bytes that the body had.
        public var bodySize: Int

        /// Makes a recorded request, for tests of code that takes one.
        ///
        /// - Parameters:
        ///   - request: The request without its body.
        ///   - body: The recorded bytes.
        ///   - bodySize: The number of bytes that the body had; those of `body` unless given.
        public init(request: OutgoingRequest, body: Data = Data(), bodySize: Int? = nil) {
            self.request = request
            self.body = body
            self.bodySize = bodySize ?? body.count
        }
    }

    /// Makes the answer to a request.
    public typealias Answer = @Sendable (OutgoingRequest) async throws -> IncomingResponse

    private struct State {
        var sent: [Sent] = []
        var rules: [TransportRule] = []
        var isShutDown = false
    }

    private let answer: Answer?
    private let clock: any Clock<Duration>
    private let maximumBodySize: Int
    private let state = Lock(State())

    /// Makes a transport that answers by rules.
    ///
    /// - Parameters:
    ///   - clock: The clock that measures delays.
    ///   - maximumBodySize: How much of each body is kept, in bytes; the rest is counted.
    public init(
        clock: any Clock<Duration> = ContinuousClock(), maximumBodySize: Int = 64 << 20
    ) {
        answer = nil
        self.clock = clock
        self.maximumBodySize = maximumBodySize
    }

    /// Makes a transport that passes each request without a matching rule to a closure.
    ///
    /// ```swift
    /// let transport = RecordingTransport { request in
    ///     IncomingResponse(url: request.url, status: .ok, body: ByteStream(Data("[]".utf8)))
    /// }
    /// ```
    public init(
        clock: any Clock<Duration> = ContinuousClock(), maximumBodySize: Int = 64 << 20,
        answer: @escaping Answer
    ) {
        self.answer = answer
        self.clock = clock
        self.maximumBodySize = maximumBodySize
    }

    /// Adds a rule.
    ///
    /// The answers are given one after the other, and the last one again and again. Of several
    /// matching rules, the one that was added last answers.
    ///
    /// - Parameters:
    ///   - method: The method; nil is any.
    ///   - path: The whole path of the address without its query, not percent-encoded; one
    ///     that ends in `*` matches all that begin so.
    ///   - first: The first answer.
    ///   - more: The answers after it.
    @discardableResult
    public func on(
        _ method: HTTPRequest.Method?, _ path: String, _ first: ScriptedAnswer,
        _ more: ScriptedAnswer...
    ) -> RecordingTransport {
        on(method, path, first, then: more)
    }

    /// Adds a rule with a list of answers; see ``on(_:_:_:_:)``.
    @discardableResult
    public func on(
        _ method: HTTPRequest.Method?, _ path: String, _ first: ScriptedAnswer,
        then more: [ScriptedAnswer]
    ) -> RecordingTransport {
        let rule = TransportRule(method: method, path: path, answers: [first] + more)
        state.withLock { $0.rules.append(rule) }
        return self
    }

    /// The recorded requests, in the order in which their bodies were complete.
    public var requests: [Sent] { state.withLock { $0.sent } }

    /// The recorded requests to a path, such as `/v1/tracks` or `/v1/*`.
    ///
    /// - Parameters:
    ///   - path: The path; one that ends in `*` matches all that begin so.
    ///   - method: The method; nil is any.
    public func requests(to path: String, method: HTTPRequest.Method? = nil) -> [Sent] {
        let rule = TransportRule(method: method, path: path, answers: [])
        return requests.filter { rule.fits($0.request) }
    }

    /// Removes the recorded requests.
    public func forgetRequests() { state.withLock { $0.sent = [] } }

    /// Whether the transport was shut down.
    public var isShutDown: Bool { state.withLock { $0.isShutDown } }

    /// Records the request and returns the script's answer.
    public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        guard !isShutDown else {
            throw DataRequestError(.shutDown, "The recording transport was shut down.")
        }
        let entry = try await collected(request)
        let (scripted, rules): (ScriptedAnswer?, [TransportRule]) = state.withLock { state in
            state.sent.append(entry)
            let fitting = state.rules.lastIndex { $0.fits(request) }
            return (fitting.flatMap { state.rules[$0].next() }, state.rules)
        }
        if let scripted { return try await response(scripted, to: request) }
        if let answer { return try await answer(request) }
        throw Self.noAnswer(request, rules)
    }

    /// Refuses later requests.
    public func shutDown() async throws { state.withLock { $0.isShutDown = true } }

    private func collected(_ request: OutgoingRequest) async throws -> Sent {
        var entry = Sent(request: request, body: Data(), bodySize: 0)
        guard let stream = try await request.body.open() else { return entry }
        for try await piece in stream {
            entry.body.append(piece.prefix(maximumBodySize - entry.body.count))
            entry.bodySize += piece.count
        }
        return entry
    }

    private func response(
        _ scripted: ScriptedAnswer, to request: OutgoingRequest
    ) async throws -> IncomingResponse {
        if scripted.delay > .zero { try await clock.sleep(for: scripted.delay.waitable) }
        if let failure = scripted.failure, failure.bytes == nil { throw failure.error }
        return scripted.response(to: request)
    }

    private static func noAnswer(
        _ request: OutgoingRequest, _ rules: [TransportRule]
    ) -> DataRequestError {
        let list = rules.isEmpty ? "none" : rules.map(\.description).joined(separator: ", ")
        return DataRequestError(
            .noAnswer,
            "No rule of the recording transport fits \(request.method) \(request.url.path). "
                + "The rules are: \(list). Add one with on(_:_:_:).")
    }
}

extension DataRequestError.Code {
    /// No rule of a `RecordingTransport` matches the request.
    public static let noAnswer = Self(rawValue: "noAnswer")
}
#endif
