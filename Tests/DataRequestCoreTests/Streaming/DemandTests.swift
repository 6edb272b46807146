#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import TestClocks
import TestSupport
import Testing

/// Bodies are received when they are read: each piece is asked for after its reader has asked.
struct DemandTests {
    /// Pieces that count how often they are asked for, and when that is too early.
    private final class Source: Sendable {
        private struct State {
            var requests = 0
            var asked = 0
            var isTooEarly = false
        }

        private let state = Lock(State())
        private let count: Int
        private let piece: @Sendable (Int) -> Data

        init(pieces count: Int, _ piece: @escaping @Sendable (Int) -> Data) {
            self.count = count
            self.piece = piece
        }

        /// The reader asks for one more piece.
        func request() { state.withLock { $0.requests += 1 } }

        var isTooEarly: Bool { state.withLock { $0.isTooEarly } }
        var asked: Int { state.withLock { $0.asked } }

        func stream(length: Int64? = nil) -> ByteStream {
            ByteStream(
                AsyncStream<Data>(unfolding: {
                    let number = self.state.withLock { state in
                        state.asked += 1
                        if state.asked > state.requests { state.isTooEarly = true }
                        return state.asked
                    }
                    return number <= self.count ? self.piece(number) : nil
                }), length: length)
        }
    }

    /// Gives a sender that reads in advance the time to do so.
    private func pause() async { for _ in 0..<200 { await Task.yield() } }

    private func fixture(
        _ source: Source, length: Int64? = nil, headers: HTTPFields = [:],
        configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) throws -> BodyFixture {
        try BodyFixture(
            RecordingTransport { request in
                IncomingResponse(
                    url: request.url, status: .ok, headers: headers,
                    body: source.stream(length: length))
            }, configure: configure)
    }

    @Test(arguments: [nil, 40], [false, true])
    func `a body is read no further than its reader asks`(
        length: Int64?, isCached: Bool
    )
        async throws
    {
        let source = Source(pieces: 4) { _ in Data(count: 10) }
        let fixture = try fixture(
            source, length: length, headers: isCached ? [.eTag: "\"1\""] : [:]
        ) { if isCached { $0.conditionalRequests = .init() } }
        let response = try await fixture.service.response(for: DataRequest(.get, "export"))
        await pause()
        #expect(source.asked == 0)
        var iterator = response.body.makeAsyncIterator()
        for number in 1...5 {
            source.request()
            let piece = try await iterator.next()
            #expect(piece == (number <= 4 ? Data(count: 10) : nil))
            await pause()
            #expect(source.asked == number)
        }
        #expect(!source.isTooEarly)
        #expect(fixture.service.inFlight.isEmpty)
    }

    @Test func `elements are read no further than the one that is asked for`() async throws {
        let source = Source(pieces: .max) { _ in Data("{\"id\":1}\n".utf8) }
        let fixture = try fixture(source)
        struct Track: Decodable { var id: Int }
        var iterator = fixture.service.elements(
            of: Track.self, from: DataRequest(.get, "tracks"), at: .lines
        ).makeAsyncIterator()
        for number in 1...3 {
            source.request()
            let track = try await iterator.next()
            #expect(track?.id == 1)
            await pause()
            #expect(source.asked == number)
        }
        #expect(!source.isTooEarly)
    }

    @Test func `an answer that states no bytes ends without a reader`() async throws {
        let source = Source(pieces: 0) { _ in Data() }
        source.request()
        let fixture = try fixture(source, length: 0)
        let response = try await fixture.service.response(for: DataRequest(.get, "nothing"))
        while !fixture.service.inFlight.isEmpty { await Task.yield() }
        #expect(source.asked == 1)
        #expect(!source.isTooEarly)
        for try await _ in response.body { Issue.record("A body without bytes has a piece.") }
    }

    @Test func `a body with more bytes than it states is read whole`() async throws {
        let source = Source(pieces: 3) { Data([UInt8($0)]) }
        let fixture = try fixture(source, length: 0)
        let response = try await fixture.service.response(for: DataRequest(.get, "more"))
        var bytes = Data()
        for try await piece in response.body { bytes += piece }
        #expect(bytes == Data([1, 2, 3]))
    }

    @Test func `a body that is not read is under the idle limit`() async throws {
        let clock = TestClock()
        let source = Source(pieces: 3) { Data([UInt8($0)]) }
        let fixture = try fixture(source) { $0.clock = clock }
        let response = try await fixture.service.response(
            for: DataRequest(.get, "export").timeLimits(.init(idle: .seconds(10))))
        while !fixture.service.inFlight.isEmpty {
            clock.advance(by: .seconds(1))
            await Task.yield()
        }
        let error = await failure { for try await _ in response.body {} }
        #expect(error?.code == .timedOut)
        #expect(source.asked == 0)
    }
}
#endif
