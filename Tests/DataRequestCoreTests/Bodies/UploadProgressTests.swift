#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import Testing

struct UploadProgressTests {
    private final class Reports: Sendable {
        private let list = Lock<[[Int64?]]>([])
        var all: [[Int64?]] { list.withLock { $0 } }
        func add(_ sent: Int64, _ total: Int64?) { list.withLock { $0.append([sent, total]) } }
    }

    private func reports(of body: RequestBody) async throws -> [[Int64?]] {
        let reports = Reports()
        _ = try await BodyFixture().sent(
            DataRequest(.put, "x").body(body).onUploadProgress { reports.add($0, $1) })
        return reports.all
    }

    @Test func `reports never decrease, and the last one is complete`() async throws {
        let size = 10 << 20
        let all = try await reports(of: .data(Data(count: size)))
        let sent = all.compactMap(\.[0])
        #expect(sent == sent.sorted())
        #expect(Set(sent).count == sent.count)
        #expect(sent.filter { $0 == Int64(size) }.count == 1)
        #expect(sent.last == Int64(size))
        #expect(all.allSatisfy { $0[1] == Int64(size) })
        #expect(all.count <= 101)
        #expect(all.count > 50)
    }

    @Test func `an unknown total is reported at the end`() async throws {
        let data = Data(count: 50_000)
        let all = try await reports(
            of: .stream {
                ByteStream(
                    AsyncStream<Data> { continuation in
                        for _ in 0..<4 { continuation.yield(data) }
                        continuation.finish()
                    })
            })
        #expect(all == [[100_000, nil], [200_000, nil], [200_000, 200_000]])
    }

    @Test func `a small body is reported once`() async throws {
        #expect(try await reports(of: .text("abc")) == [[3, 3]])
        #expect(try await reports(of: .stream(length: 3) { pieces("a", "bc") }) == [[3, 3]])
    }

    @Test func `each attempt starts again at nothing`() async throws {
        let reports = Reports()
        let fixture = try BodyFixture()
        let request = DataRequest(.put, "x").body(.text("abc")).onUploadProgress {
            reports.add($0, $1)
        }
        _ = try await fixture.sent(request)
        _ = try await fixture.sent(request)
        #expect(reports.all == [[3, 3], [3, 3]])
    }
}
#endif
