#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct FailureBodyTests {
    struct APIProblem: Codable, Equatable, Sendable { var reason: String }

    private func fixture(
        _ status: HTTPResponse.Status, _ body: ByteStream, type: String = "application/json",
        headers: HTTPFields = [:],
        configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) throws -> BodyFixture {
        try BodyFixture(
            RecordingTransport { request in
                var fields = headers
                fields[.contentType] = type
                return IncomingResponse(
                    url: request.url, status: status, headers: fields, body: body)
            }, configure: configure)
    }

    @Test func `the body of an unexpected status is decoded to the type of the request`()
        async throws
    {
        let service = try fixture(.notFound, pieces(#"{"reason":"#, #""gone"}"#)).service
        let request = DataRequest(.get, "x").failing(with: APIProblem.self)
        let error = await failure { try await service.decode([Int].self, from: request) }
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.status == .notFound)
        #expect(error?.decoded(APIProblem.self) == APIProblem(reason: "gone"))
        #expect(error?.failureValue is APIProblem)
        #expect(error?.body == Data(#"{"reason":"gone"}"#.utf8))
        #expect(error?.description.contains("gone") == false)
    }

    @Test func `the service may name the type for all requests`() async throws {
        let service = try fixture(.notFound, pieces(#"{"reason":"gone"}"#)) {
            $0.failureBody = .decoding(APIProblem.self)
        }.service
        let error = await failure { try await service.data(for: DataRequest(.get, "x")) }
        #expect(error?.failureValue as? APIProblem == APIProblem(reason: "gone"))
    }

    @Test func `problem details are decoded by default`() async throws {
        let body = #"{"title":"Out of credit","status":"wrong","detail":"30 of 50"}"#
        let service = try fixture(.forbidden, pieces(body), type: "application/problem+json")
            .service
        let error = await failure { try await service.head("x") }
        let problem = error?.decoded(ProblemDetails.self)
        #expect(problem == ProblemDetails(title: "Out of credit", detail: "30 of 50"))
        #expect(error?.failureValue is ProblemDetails)
    }

    @Test func `a body that cannot be decoded leaves the status and its start`() async throws {
        let service = try fixture(.notFound, pieces("<html>"), type: "text/html").service
        let error = await failure {
            try await service.data(for: DataRequest(.get, "x").failing(with: APIProblem.self))
        }
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.failureValue == nil)
        #expect(error?.body == Data("<html>".utf8))
        #expect(error?.decoded(APIProblem.self) == nil)
    }

    @Test func `the error keeps only the start of a large body`() async throws {
        let service = try fixture(.notFound, pieces("12345", "6789")) {
            $0.maximumFailureBodySize = 7
        }.service
        let error = await failure { try await service.get("x") }
        #expect(error?.body == Data("1234567".utf8))
    }

    @Test func `a body that never ends does not hold up the error`() async throws {
        let (stream, continuation) = AsyncStream<Data>.makeStream()
        continuation.yield(Data("start".utf8))
        let service = try fixture(.serviceUnavailable, ByteStream(stream)) {
            $0.failureBodyTimeLimit = .zero
        }.service
        let error = await failure { try await service.get("x") }
        #expect(error?.code == .unexpectedStatus)
        continuation.finish()
    }

    @Test func `the error of a body that breaks off keeps the status`() async throws {
        let broken = AsyncThrowingStream<Data, any Error> {
            $0.yield(Data("start".utf8))
            $0.finish(throwing: DataRequestError(.connectionLost, "Gone."))
        }
        let service = try fixture(.badGateway, ByteStream(broken)).service
        let error = await failure { try await service.get("x") }
        #expect(error?.code == .unexpectedStatus)
        #expect(error?.body == Data("start".utf8))
    }

    @Test(arguments: [
        (404, nil, DataRequestError.Retry.no), (503, nil, .later), (429, "7", .after(.seconds(7))),
        (503, "-1", .later), (503, "soon", .later), (400, "7", .no),
        (503, "Thu, 01 Jan 1970 00:00:00 GMT", .after(.zero)),
    ])
    func `the status and Retry-After say whether to try again`(
        status: Int, after: String?, expected: DataRequestError.Retry
    ) async throws {
        var headers: HTTPFields = [:]
        headers[.retryAfter] = after
        let service = try fixture(.init(code: status), .empty, headers: headers).service
        let error = await failure { try await service.get("x") }
        #expect(error?.retry == expected)
    }

    @Test func `a day in Retry-After is turned into a time`() async throws {
        var headers: HTTPFields = [:]
        headers[.retryAfter] = "Fri, 29 Feb 2996 00:00:00 GMT"
        let day = Date(timeIntervalSince1970: 32_382_547_200)
        let service = try fixture(.serviceUnavailable, .empty, headers: headers).service
        // The answer comes between the two, however long it takes.
        let longest = day.timeIntervalSinceNow
        let error = await failure { try await service.get("x") }
        let shortest = day.timeIntervalSinceNow
        guard case .after(let time) = error?.retry else {
            Issue.record("No time")
            return
        }
        #expect((shortest - 1...longest + 1).contains(Double(time.components.seconds)))
    }

    @Test func `the request decides which statuses are a success`() async throws {
        let service = try fixture(.notFound, pieces("x")).service
        let data = try await service.data(for: DataRequest(.get, "x").expecting(.notFound))
        #expect(data == Data("x".utf8))
    }
}
#endif
