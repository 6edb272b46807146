#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import RequestTestKit
import TestSupport
import Testing

/// `Expect: 100-continue`: a body that waits for the server.
@Suite(.generousTimeLimit) struct ExpectationTests {
    private func request(
        _ url: URL, _ body: RequestBody = .data(Data("hello".utf8))
    ) throws -> OutgoingRequest {
        let name = try #require(HTTPField.Name("Expect"))
        return OutgoingRequest(
            method: .put, url: url, headers: [name: "100-continue"], body: body)
    }

    /// A transport that waits for the server's answer without a limit by default.
    private func withTransport<Value: Sendable>(
        _ security: SecurityPolicy = SecurityPolicy(), limit: Duration = .seconds(600),
        run: @Sendable (AsyncHTTPTransport) async throws -> Value
    ) async throws -> Value {
        var configuration = AsyncHTTPTransport.Configuration.patient
        configuration.continueLimit = limit
        return try await DataRequestServiceTests.withTransport(
            security, configuration, run: run)
    }

    @Test func `the body is sent when the server wants it`() async throws {
        let (hasAsked, asked) = AsyncStream.makeStream(of: String.self)
        try await withRawServer { raw, _ in
            for _ in 0..<2 {
                asked.yield(await raw.readHead())
                try await raw.write("HTTP/1.1 100 Continue\r\n\r\n")
                let body = await raw.read(count: 5)
                #expect(body == Data("hello".utf8))
                try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        } run: { url in
            try await withTransport { transport in
                let bytes = Data("hello".utf8)
                for body in [
                    RequestBody.data(bytes), .stream(length: 5) { ByteStream(bytes) },
                ] {
                    let text = try await transport.send(try request(url, body)).text()
                    #expect(text == "ok")
                }
            }
        }
        let head = await hasAsked.first { _ in true }
        #expect(head?.lowercased().contains("expect: 100-continue\r\n") == true)
    }

    @Test func `the body is sent when the server wants it over HTTP/2`() async throws {
        let authority = try TestAuthority()
        try await withHTTP2Server(try authority.issue().serverConfiguration()) { _ in
            .answer()
        } run: { url in
            try await withTransport(SecurityPolicy(trust: authority.trust)) { transport in
                for _ in 0..<2 {
                    let text = try await transport.send(try request(url)).text()
                    #expect(text == "ok")
                }
            }
        }
    }

    @Test(arguments: [417, 401, 413])
    func `a server that refuses gets no byte of the body`(_ status: Int) async throws {
        let (afterHead, rest) = AsyncStream.makeStream(of: Data.self)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 \(status) No\r\nContent-Length: 7\r\n\r\nrefused")
            rest.yield(await raw.read(count: 1))
        } run: { url in
            try await withTransport { transport in
                let body = RequestBody.stream {
                    Issue.record("The body was opened.")
                    return ByteStream(Data("hello".utf8))
                }
                let answer = try await transport.send(try request(url, body))
                #expect(answer.status.code == status)
                let text = try await answer.text()
                #expect(text == "refused")
            }
            let sent = await afterHead.first { _ in true }
            #expect(sent == Data())
        }
    }

    @Test func `a server that answers with a success and without a 100 gets the body`() async throws
    {
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no")
            let body = await raw.read(count: 5)
            #expect(body == Data("hello".utf8))
            try await raw.write("k")
        } run: { url in
            try await withTransport { transport in
                let text = try await transport.send(try request(url)).text()
                #expect(text == "ok")
            }
        }
    }

    @Test func `a silent server gets the body after the limit`() async throws {
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            let body = await raw.read(count: 5)
            #expect(body == Data("hello".utf8))
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        } run: { url in
            try await withTransport(limit: .milliseconds(1)) { transport in
                let text = try await transport.send(try request(url)).text()
                #expect(text == "ok")
            }
        }
    }

    @Test func `a request that is cancelled while it waits ends`() async throws {
        let (hasArrived, arrived) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            arrived.yield()
            let rest = await raw.read(count: 1)
            #expect(rest.isEmpty)
        } run: { url in
            try await withTransport { transport in
                let task = Task { try await transport.send(try request(url)) }
                _ = await hasArrived.first { true }
                task.cancel()
                await #expect(throws: CancellationError.self) { _ = try await task.value }
            }
        }
    }

    @Test func `a request without a body waits for nothing`() async throws {
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        } run: { url in
            try await withTransport { transport in
                let text = try await transport.send(try request(url, .none)).text()
                #expect(text == "ok")
            }
        }
    }
}
#endif
