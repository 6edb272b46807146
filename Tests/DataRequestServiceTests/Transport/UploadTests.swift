#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import SkiathosLocks
import Synchronization
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct UploadTests {
    private struct Broken: Error, Equatable { var number: Int }

    @Test func `an error of the body is thrown by the request`() async throws {
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            await raw.untilClosed()
        } run: { url in
            try await withTransport { transport in
                let body = RequestBody.stream {
                    ByteStream(
                        AsyncThrowingStream<Data, any Error> { continuation in
                            continuation.yield(Data("a".utf8))
                            continuation.finish(throwing: Broken(number: 7))
                        })
                }
                await #expect(throws: Broken(number: 7)) {
                    _ = try await transport.send(
                        OutgoingRequest(method: .post, url: url, body: body))
                }
                await #expect(throws: Broken(number: 8)) {
                    _ = try await transport.send(
                        OutgoingRequest(
                            method: .post, url: url, body: .stream { throw Broken(number: 8) }))
                }
            }
        }
    }

    @Test(arguments: [2, 4])
    func `a body of another length than announced is never complete`(
        _ length: Int64
    )
        async throws
    {
        let whole = Lock(0)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            let body = await raw.read(count: Int(length))
            if body.count == Int(length) { whole.withLock { $0 += 1 } }
        } run: { url in
            try await withTransport { transport in
                await expectError(.invalidBody) {
                    let body = RequestBody.stream(length: length) {
                        pieces(3, of: Data("x".utf8))
                    }
                    _ = try await transport.send(
                        OutgoingRequest(method: .post, url: url, body: body))
                }
            }
        }
        #expect(whole.withLock { $0 } == 0)
    }

    @Test func `a body is not opened while there is no connection`() async throws {
        let opened = Lock(false)
        let url = try #require(URL(string: "https://127.0.0.1:1/"))
        try await withTransport { transport in
            let body = RequestBody.stream {
                opened.withLock { $0 = true }
                return .empty
            }
            await expectError(.connectionFailed) {
                _ = try await transport.send(OutgoingRequest(method: .put, url: url, body: body))
            }
        }
        #expect(opened.withLock { $0 } == false)
    }

    @Test func `a slow server slows down the reading of the body`() async throws {
        let made = Lock(0)
        let (isFull, full) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            // Nothing is read until the client stands still, which the sockets' buffers decide.
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n")
            _ = await isFull.first { true }
            try await raw.write("ok")
        } run: { url in
            try await withTransport { transport in
                let endless = ByteStream(
                    AsyncStream(unfolding: {
                        made.withLock { $0 += 1 }
                        return Data(count: 1 << 16)
                    }))
                let response = try await transport.send(
                    OutgoingRequest(method: .post, url: url, body: .stream(endless)))
                full.yield()
                _ = try await response.bytes()
            }
        }
        // The server of the test reads all that comes, so this bounds only what was under way.
        #expect(made.withLock { $0 } < 1 << 14)
    }

    @Test func `no bytes of a secret body or header are in an error`() async throws {
        var request = OutgoingRequest(
            method: .post, url: nowhere, headers: [.authorization: "Bearer hidden"],
            body: .data(Data("hidden".utf8)))
        request.headers[.cookie] = "hidden"
        let sent = request
        let error = await expectError(.malformedResponse) {
            _ = try await exchange(sent) { raw, _ in
                _ = await raw.readHead()
                try await raw.write("hidden\r\n\r\n")
            }
        }
        #expect(error.map { "\($0)".contains("hidden") } == false)
    }
}
#endif
