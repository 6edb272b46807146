#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct ExchangeTests {
    @Test func `a request and its answer pass whole in both directions`() async throws {
        try await withServer { router in
            router.post("echo") { request, context in
                let body = try await request.body.collect(upTo: 1 << 20)
                return Response(
                    status: .created,
                    headers: [.contentType: request.headers[.contentType] ?? "", .eTag: "\"1\""],
                    body: ResponseBody(byteBuffer: body))
            }
        } run: { base in
            try await withTransport { transport in
                let response = try await transport.send(
                    OutgoingRequest(
                        method: .post, url: base.appending(path: "echo"),
                        headers: [.contentType: "text/plain"], body: .data(Data("hello".utf8))))
                #expect(response.status == .created)
                #expect(response.headers[.contentType] == "text/plain")
                #expect(response.headers[.eTag] == "\"1\"")
                #expect(response.body.length == 5)
                let text = try await response.text()
                #expect(text == "hello")
            }
        }
    }

    @Test func `a body of known length has a Content-Length, others are sent in chunks`()
        async throws
    {
        try await withPeer { base in
            try await withTransport { transport in
                let piece = Data(repeating: 7, count: 1000)
                for length in [3000 as Int64, nil] {
                    let response = try await transport.send(
                        OutgoingRequest(
                            method: .put, url: base.appending(path: "echo"),
                            body: .stream(length: length) { pieces(3, of: piece) }))
                    let echo = try JSONDecoder().decode(Echo.self, from: try await response.bytes())
                    #expect(echo.length == 3000)
                    #expect(echo.header("content-length") == length.map { "\($0)" })
                    #expect(echo.header("transfer-encoding") == (length == nil ? "chunked" : nil))
                }
            }
        }
    }

    @Test func `connections are kept for the next request`() async throws {
        try await withPeer { base in
            try await withTransport { transport in
                var ports: Set<Int> = []
                for _ in 0..<5 {
                    let response = try await transport.send(
                        OutgoingRequest(url: base.appending(path: "echo")))
                    ports.insert(
                        try JSONDecoder().decode(Echo.self, from: try await response.bytes()).port)
                }
                #expect(ports.count == 1)
            }
        }
    }

    @Test func `an answer to HEAD has the length in its headers and no body`() async throws {
        let answer = try await exchange(OutgoingRequest(method: .head, url: nowhere)) { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 12345\r\n\r\n")
            await raw.untilClosed()
        }
        #expect(answer.headers[.contentLength] == "12345")
        #expect(answer.body.isEmpty)
    }

    @Test(arguments: ["204 No Content", "304 Not Modified"])
    func `an answer that can have no body ends with its head`(_ status: String) async throws {
        let answer = try await exchange { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 \(status)\r\nETag: \"a\"\r\n\r\n")
            await raw.untilClosed()
        }
        #expect(answer.status == Int(status.prefix(3)))
        #expect(answer.body.isEmpty)
    }

    @Test func `heads of provisional answers are skipped`() async throws {
        let answer = try await exchange { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n")
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await raw.untilClosed()
        }
        #expect(answer.status == 200)
        #expect(answer.body == Data("ok".utf8))
    }

    @Test func `chunks are joined and trailers do not become part of the body`() async throws {
        let answer = try await exchange { raw, _ in
            _ = await raw.readHead()
            try await raw.write(
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n3;a=b\r\n yes\r\n"
                    .replacing("3;a=b\r\n yes", with: "4;a=b\r\n yes")
                    + "0\r\nX-Sum: 1\r\n\r\n")
            await raw.untilClosed()
        }
        #expect(answer.body == Data("ok yes".utf8))
    }

    @Test func `a body without a length ends with the connection`() async throws {
        let answer = try await exchange { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it")
        }
        #expect(answer.body == Data("all of it".utf8))
    }

    @Test func `a line break in a header's value starts no other header`() async throws {
        var request = OutgoingRequest(url: nowhere)
        request.headers[.userAgent] = "a\r\nX-Evil: 1"
        let answer = try await exchange(request) { raw, _ in
            let head = await raw.readHead()
            let isSafe = !head.contains("\r\nX-Evil") && !head.contains("\nX-Evil")
            try await raw.write("HTTP/1.1 \(isSafe ? 200 : 500) X\r\nContent-Length: 0\r\n\r\n")
        }
        #expect(answer.status == 200)
    }

    @Test func `a server is reached over IPv6`() async throws {
        try await withRawServer(address: "::1", host: "[::1]") { raw, _ in
            let head = await raw.readHead()
            let isRight = head.contains("[::1]:")
            try await raw.write("HTTP/1.1 \(isRight ? 200 : 400) X\r\nContent-Length: 0\r\n\r\n")
        } run: { url in
            try await withTransport { transport in
                let response = try await transport.send(OutgoingRequest(url: url))
                #expect(response.status == .ok)
                _ = try await response.bytes()
            }
        }
    }

    @Test func `a body can be read once, and the second reader gets an error`() async throws {
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await raw.untilClosed()
        } run: { url in
            try await withTransport { transport in
                let response = try await transport.send(OutgoingRequest(url: url))
                let text = try await response.text()
                #expect(text == "ok")
                await #expect(throws: DataRequestError.self) { _ = try await response.bytes() }
            }
        }
    }
}

/// An address that tests replace by that of their server.
let nowhere = URL(filePath: "/")

/// What the peer says of a request.
struct Echo: Decodable {
    var method: String
    var path: String
    var headers: [[String]]
    var length: Int
    var sha256: String
    var text: String
    var port: Int

    func header(_ name: String) -> String? { headers.first { $0[0] == name }?[1] }
}
#endif
