#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import Hummingbird
import SkiathosLocks
import NIOCore
import RequestTestKit
import Synchronization
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct MisbehaviourTests {
    @Test func `a body that is cut off is a lost connection and never a success`() async throws {
        let heads = ["Content-Length: 10", "Transfer-Encoding: chunked"]
        for (head, start) in zip(heads, ["half", "a\r\nhalf"]) {
            let error = await expectError(.connectionLost) {
                _ = try await exchange { raw, _ in
                    _ = await raw.readHead()
                    try await raw.write("HTTP/1.1 200 OK\r\n\(head)\r\n\r\n\(start)")
                }
            }
            #expect(error?.retry == .later)
        }
    }

    @Test func `a reset amid the body is a lost connection`() async throws {
        await expectError(.connectionLost) {
            _ = try await exchange { raw, _ in
                _ = await raw.readHead()
                try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")
                try await raw.reset()
            }
        }
    }

    @Test func `a post that is answered beneath TLS is sent once, as it may have been processed`()
        async throws
    {
        let authority = try TestAuthority()
        let processed = Lock(0)
        try await withRawServer(tls: try authority.issue().serverConfiguration()) { raw, _ in
            _ = await raw.readHead()
            guard await raw.read(count: 5) == Data("hello".utf8) else { return }
            processed.withLock { $0 += 1 }
            try await raw.writeBeneathTLS("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
            await raw.untilClosed()
        } run: { url in
            try await withService(url, security: SecurityPolicy(trust: authority.trust)) {
                service in
                let error = await expectError(.connectionLost) {
                    _ = try await service.post("t", body: .data(Data("hello".utf8))) as Data
                }
                #expect(error?.retry == .later)
            }
        }
        #expect(processed.withLock { $0 } == 1)
    }

    @Test(arguments: [
        "not HTTP at all\r\n\r\n", "HTTP/1.1 abc OK\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: twelve\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nhello\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhello\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nBad Name: 1\r\n\r\n",
    ])
    func `garbage is a malformed answer`(_ answer: String) async throws {
        await expectError(.malformedResponse) {
            _ = try await exchange { raw, _ in
                _ = await raw.readHead()
                try await raw.write(answer)
            }
        }
    }

    @Test(arguments: ["099", "000", "001", "103"], ["hello", ""])
    func `an answer with an invalid status is malformed, with a body and without`(
        _ status: String, _ body: String
    ) async throws {
        let code = await errorCode {
            _ = try await exchange { raw, _ in
                _ = await raw.readHead()
                try await raw.write(
                    "HTTP/1.1 \(status) Odd\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            }
        }
        // A provisional answer that no other follows is a lost connection.
        #expect(code == .malformedResponse || (status == "103" && code == .connectionLost))
    }

    @Test func `an answer with an invalid status is malformed over HTTP/2 too`() async throws {
        let authority = try TestAuthority()
        let tls = try authority.issue().serverConfiguration()
        try await withServer(.http2(tls)) { router in
            router.get("odd") { _, _ in
                Response(status: .init(code: 99), body: .init(byteBuffer: ByteBuffer(string: "a")))
            }
        } run: { base in
            try await withTransport(SecurityPolicy(trust: authority.trust)) { transport in
                await expectError(.malformedResponse) {
                    _ = try await transport.send(OutgoingRequest(url: base.appending(path: "odd")))
                }
            }
        }
    }

    @Test func `headers without end are refused`() async throws {
        await expectError(.malformedResponse) {
            _ = try await exchange { raw, _ in
                _ = await raw.readHead()
                try await raw.write("HTTP/1.1 200 OK\r\n")
                while true {
                    try await raw.write("X-Many: \(String(repeating: "a", count: 900))\r\n")
                }
            }
        }
    }

    @Test func `bytes beyond the length do not reach the next answer`() async throws {
        try await withRawServer { raw, number in
            _ = await raw.readHead()
            try await raw.write(
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n\(number)HTTP/1.1 200 OK\r\n"
                    + "Content-Length: 4\r\n\r\nevil")
            await raw.untilClosed()
        } run: { url in
            try await withTransport { transport in
                for _ in 0..<5 {
                    let response = try? await transport.send(OutgoingRequest(url: url))
                    // The client may close the connection before or while the next request uses it.
                    let text = try? await response?.text()
                    #expect(text != "evil", "A smuggled answer was taken for the real one.")
                }
            }
        }
    }

    @Test func `an endless body is read at the reader's speed and ends with the reader`()
        async throws
    {
        let (isClosed, closed) = AsyncStream.makeStream(of: Int.self)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            let piece = Data(repeating: 65, count: 1 << 16)
            var sent = 0
            defer { closed.yield(sent) }
            while true {
                try await raw.write("10000\r\n")
                try await raw.write(piece)
                try await raw.write("\r\n")
                sent += piece.count
            }
        } run: { url in
            try await withTransport { transport in
                let response = try await transport.send(OutgoingRequest(url: url))
                var read = 0
                for try await piece in response.body {
                    read += piece.count
                    if read > 1 << 20 { break }
                }
            }
            let sent = await isClosed.first { _ in true }
            // What the sockets of both sides hold comes on top.
            #expect(try #require(sent) < 64 << 20)
        }
    }

    @Test func `an unread body closes its connection when it is released`() async throws {
        let (isClosed, closed) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")
            await raw.untilClosed()
            closed.yield()
        } run: { url in
            try await withTransport { transport in
                _ = try await transport.send(OutgoingRequest(url: url))
                _ = await isClosed.first { true }
            }
        }
    }

    @Test func `a connection that the server closed while it was idle is an error or is not used`()
        async throws
    {
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        } run: { url in
            try await withTransport { transport in
                for _ in 0..<10 {
                    do {
                        let response = try await transport.send(OutgoingRequest(url: url))
                        let text = try await response.text()
                        #expect(text == "ok")
                    } catch let error as DataRequestError {
                        #expect([.connectionLost, .connectionFailed].contains(error.code))
                        #expect(error.retry == .later)
                    }
                }
            }
        }
    }

    @Test func `a refusal that arrives before the upload is read is the answer`() async throws {
        try await withPeer { base in
            try await withTransport { transport in
                let endless = ByteStream(
                    AsyncStream(unfolding: { Data(repeating: 1, count: 1 << 16) }))
                let response = try await transport.send(
                    OutgoingRequest(
                        method: .post, url: base.appending(path: "early"), body: .stream(endless)))
                #expect(response.status.code == 413)
                let text = try await response.text()
                #expect(text == "too large")
            }
        }
    }
}
#endif
