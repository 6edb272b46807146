#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct StreamTests {
    @Test func `a body is read to its end although its answer was released`() async throws {
        let (isDropped, dropped) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
            _ = await isDropped.first { true }
            try await raw.write("cd")
            await raw.untilClosed()
        } run: { url in
            try await withService(url) { service in
                var iterator = try await service.response(for: DataRequest(.get, "x")).body
                    .makeAsyncIterator()
                var text = Data()
                while let piece = try await iterator.next() {
                    text.append(piece)
                    dropped.yield()
                }
                #expect(text == Data("abcd".utf8))
            }
        }
    }
}
#endif
