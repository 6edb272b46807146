#if RequestCore
public import HTTPTypes
public import SkiathosPlatformFoundation

/// What a `RecordingTransport` answers to one request.
///
/// ```swift
/// ScriptedAnswer.json(#"{"title":"Solace"}"#)
/// ScriptedAnswer.status(.serviceUnavailable).header(.retryAfter, "2")
/// ScriptedAnswer.data(movie, contentType: "video/mp4").inPieces(of: 4096)
///     .failing(.connectionLost, after: 100_000)
/// ```
public struct ScriptedAnswer: Sendable {
    /// The status.
    public var status: HTTPResponse.Status
    /// The headers.
    public var headers: HTTPFields
    /// The pieces of the body, in their order.
    public var pieces: [Data]
    /// The stated length of the body; nil states none.
    public var length: Int64?
    /// The error, and after how many bytes of the body it comes; nil is before the status.
    public var failure: (error: DataRequestError, bytes: Int?)?
    /// How long the head of the answer takes.
    public var delay: Duration = .zero

    /// Makes an answer of bytes.
    public init(
        status: HTTPResponse.Status = .ok, headers: HTTPFields = [:], body: Data = Data()
    ) {
        self.status = status
        self.headers = headers
        pieces = body.isEmpty ? [] : [body]
        length = Int64(body.count)
    }

    /// A text of JSON.
    public static func json(
        _ text: String, status: HTTPResponse.Status = .ok
    ) -> ScriptedAnswer {
        .data(Data(text.utf8), contentType: "application/json", status: status)
    }

    /// A value as JSON.
    ///
    /// - Throws: What the encoder throws.
    public static func json(
        encoding value: some Encodable, status: HTTPResponse.Status = .ok,
        encoder: JSONEncoder = JSONEncoder()
    ) throws -> ScriptedAnswer {
        .data(try encoder.encode(value), contentType: "application/json", status: status)
    }

    /// A plain text in UTF-8.
    public static func text(
        _ text: String, status: HTTPResponse.Status = .ok
    ) -> ScriptedAnswer {
        .data(Data(text.utf8), contentType: "text/plain; charset=utf-8", status: status)
    }

    /// Bytes.
    public static func data(
        _ data: Data, contentType: String = "application/octet-stream",
        status: HTTPResponse.Status = .ok
    ) -> ScriptedAnswer {
        ScriptedAnswer(status: status, headers: [.contentType: contentType], body: data)
    }

    /// A status without a body.
    public static func status(_ status: HTTPResponse.Status) -> ScriptedAnswer {
        ScriptedAnswer(status: status)
    }

    /// No answer, but an error, such as `connectionFailed`.
    public static func failure(
        _ code: DataRequestError.Code, retry: DataRequestError.Retry = .later
    ) -> ScriptedAnswer {
        var answer = ScriptedAnswer()
        answer.failure = (planned(code, retry), nil)
        return answer
    }

    /// Sets a header.
    public func header(_ name: HTTPField.Name, _ value: String) -> ScriptedAnswer {
        changed { $0.headers[name] = value }
    }

    /// Ends the body with an error after a number of its bytes.
    public func failing(
        _ code: DataRequestError.Code = .connectionLost, after bytes: Int,
        retry: DataRequestError.Retry = .later
    ) -> ScriptedAnswer {
        changed { $0.failure = (Self.planned(code, retry), bytes) }
    }

    /// Delays the head by a time on the clock of the transport.
    public func delayed(by time: Duration) -> ScriptedAnswer { changed { $0.delay = time } }

    /// Cuts the body into pieces of a size in bytes, the last of which may be smaller.
    public func inPieces(of size: Int) -> ScriptedAnswer {
        changed { answer in
            let body = answer.pieces.reduce(Data(), +)
            answer.pieces = stride(from: 0, to: body.count, by: max(1, size)).map {
                Data(body[$0..<min($0 + max(1, size), body.count)])
            }
        }
    }

    /// States no length of the body, like a chunked answer.
    public func withoutLength() -> ScriptedAnswer { changed { $0.length = nil } }

    /// The answer as a transport gives it.
    func response(to request: OutgoingRequest) -> IncomingResponse {
        let hasBody = request.method != .head
        let body = ByteStream(ScriptedBody(answer: self), length: length)
        return IncomingResponse(
            url: request.url, status: status, headers: headers, body: hasBody ? body : .empty)
    }

    private static func planned(
        _ code: DataRequestError.Code, _ retry: DataRequestError.Retry
    ) -> DataRequestError {
        DataRequestError(code, "The script of the recording transport fails here.", retry: retry)
    }

    private func changed(_ change: (inout ScriptedAnswer) -> Void) -> ScriptedAnswer {
        var copy = self
        change(&copy)
        return copy
    }
}

/// The pieces of an answer up to its planned failure.
private struct ScriptedBody: AsyncSequence {
    typealias Element = Data

    let answer: ScriptedAnswer

    struct AsyncIterator: AsyncIteratorProtocol {
        var rest: ArraySlice<Data>
        let failure: (error: DataRequestError, bytes: Int?)?
        var sent = 0

        mutating func next() async throws -> Data? {
            try Task.checkCancellation()
            guard let failure, let bytes = failure.bytes else { return rest.popFirst() }
            guard sent < bytes, let piece = rest.popFirst() else { throw failure.error }
            let part = piece.prefix(bytes - sent)
            sent += part.count
            return part
        }
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(rest: answer.pieces[...], failure: answer.failure)
    }
}
#endif
