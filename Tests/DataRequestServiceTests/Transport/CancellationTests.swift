#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct CancellationTests {
    @Test func `a cancelled task sends no request`() async throws {
        let url = try #require(URL(string: "http://127.0.0.1:1/"))
        try await withTransport { transport in
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                _ = try await transport.send(OutgoingRequest(url: url))
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
    }

    @Test func `cancelling before the head of the answer closes the connection`() async throws {
        let (hasArrived, arrived) = AsyncStream.makeStream(of: Void.self)
        let (isClosed, closed) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            // A head that comes drop by drop and never ends.
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200")
            arrived.yield()
            await raw.untilClosed()
            closed.yield()
        } run: { url in
            try await withTransport { transport in
                let task = Task { _ = try await transport.send(OutgoingRequest(url: url)) }
                _ = await hasArrived.first { true }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                _ = await isClosed.first { true }
            }
        }
    }

    @Test func `cancelling amid the answer closes the connection`() async throws {
        let (isClosed, closed) = AsyncStream.makeStream(of: Void.self)
        let (hasRead, read) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nsome")
            await raw.untilClosed()
            closed.yield()
        } run: { url in
            try await withTransport { transport in
                let task = Task {
                    let response = try await transport.send(OutgoingRequest(url: url))
                    for try await _ in response.body { read.yield() }
                }
                _ = await hasRead.first { true }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                _ = await isClosed.first { true }
            }
        }
    }

    @Test func `cancelling amid the upload ends the reading of its body`() async throws {
        let (hasStarted, started) = AsyncStream.makeStream(of: Void.self)
        let (isOver, over) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            await raw.untilClosed()
        } run: { url in
            try await withTransport { transport in
                let body = RequestBody.stream {
                    // A body that gives one piece and then waits for ever.
                    let (bytes, continuation) = AsyncStream.makeStream(of: Data.self)
                    continuation.yield(Data("a".utf8))
                    continuation.onTermination = { _ in over.yield() }
                    started.yield()
                    return ByteStream(bytes)
                }
                let task = Task {
                    _ = try await transport.send(
                        OutgoingRequest(method: .post, url: url, body: body))
                }
                _ = await hasStarted.first { true }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                _ = await isOver.first { true }
            }
        }
    }

    @Test func `an answer that ends early ends the reading of the upload`() async throws {
        let (isOver, over) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            // Not before the body has begun, or it would never be opened.
            _ = await raw.readHead()
            _ = await raw.read(count: 1)
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await raw.untilClosed()
        } run: { url in
            try await withTransport { transport in
                let body = RequestBody.stream {
                    let (bytes, continuation) = AsyncStream.makeStream(of: Data.self)
                    continuation.yield(Data("a".utf8))
                    continuation.onTermination = { _ in over.yield() }
                    return ByteStream(bytes)
                }
                let response = try await transport.send(
                    OutgoingRequest(method: .post, url: url, body: body))
                let text = try await response.text()
                #expect(text == "ok")
                _ = await isOver.first { true }
            }
        }
    }
}
#endif
