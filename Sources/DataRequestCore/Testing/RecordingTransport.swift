import Locks
import Synchronization

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A transport that answers from a script and remembers what was sent, for tests.
///
/// ```swift
/// let transport = RecordingTransport { request in
///     .json("[]", status: .ok)
/// }
/// ```
public final class RecordingTransport: HTTPTransport {
    /// What was sent, with its whole body.
    public struct Sent: Sendable {
        /// The request.
        public var request: OutgoingRequest
        /// The bytes of its body.
        public var body: Data
    }

    /// What to answer.
    public typealias Answer = @Sendable (OutgoingRequest) async throws -> IncomingResponse

    private let answer: Answer
    private let sent = Lock<[Sent]>([])

    /// Makes a transport that gives each request to the closure.
    public init(answer: @escaping Answer) { self.answer = answer }

    /// What was sent so far, in order.
    public var requests: [Sent] { sent.withLock { $0 } }

    /// Remembers the request and gives the script's answer.
    public func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        var body = Data()
        if let stream = try await request.body.open() {
            for try await piece in stream { body.append(piece) }
        }
        let entry = Sent(request: request, body: body)
        sent.withLock { $0.append(entry) }
        return try await answer(request)
    }

    /// Does nothing.
    public func shutDown() async throws {}
}
