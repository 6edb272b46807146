#if RequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import TestSupport
import Testing

@testable import DataRequestCore

struct RequestCompressionTests {
    private func decompressed(_ body: Data) async throws -> Data {
        try await withFiles { directory in
            let (input, output) = (
                directory.appending(path: "in"), directory.appending(path: "out")
            )
            try body.write(to: input)
            let script = """
                import gzip, sys
                open(sys.argv[2], "wb").write(gzip.decompress(open(sys.argv[1], "rb").read()))
                """
            try await PythonParser.run(script, [input.path, output.path])
            return try Data(contentsOf: output)
        }
    }

    @Test func `a small body is compressed in memory with its length known`() async throws {
        let text = String(repeating: "Solace ", count: 1_000)
        let sent = try await BodyFixture().sent(
            DataRequest(.post, "x").gzipped().body(.text(text)))
        #expect(sent.request.headers[.contentEncoding] == "gzip")
        #expect(sent.request.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(sent.request.body.length == Int64(sent.body.count))
        #expect(sent.body.count < 200)
        #expect(try await decompressed(sent.body) == Data(text.utf8))
    }

    @Test(arguments: [7, 999, 1_000, 1 << 30])
    func `a piece of more bytes than zlib takes at once is compressed in parts`(
        partSize: Int
    ) async throws {
        var numbers = SeededNumbers(seed: 7)
        let deflater = try Deflater(partSize: partSize)
        let (bytes, zeros) = (numbers.bytes(3_000), Data(count: 4_000))
        var compressed = Data()
        for piece in [bytes, Data(), zeros, bytes.dropFirst(1)] {
            compressed += try deflater.compress(piece)
        }
        compressed += try deflater.compress(nil)
        #expect(try await decompressed(compressed) == bytes + zeros + bytes.dropFirst(1))
    }

    @Test func `a large or streamed body is compressed while it is sent`() async throws {
        var numbers = SeededNumbers(seed: 5)
        let bytes = numbers.bytes(400_000) + Data(count: 400_000)
        for body in [RequestBody.data(bytes), .stream(length: 800_000) { ByteStream(bytes) }] {
            let reports = Lock<[Int64]>([])
            let request = DataRequest(.post, "x").body(body).gzipped().onUploadProgress { sent, _ in
                reports.withLock { $0.append(sent) }
            }
            let sent = try await BodyFixture().sent(request)
            #expect(sent.request.body.length == nil)
            #expect(sent.body.count < 410_000)
            #expect(try await decompressed(sent.body) == bytes)
            #expect(reports.withLock { $0.last } == 800_000)
        }
    }

    @Test func `a compressed stream of another length than announced fails`() async throws {
        let fixture = try BodyFixture()
        let error = await failure {
            try await fixture.sent(
                DataRequest(.post, "x").body(.stream(length: 5) { pieces("abc") }).gzipped())
        }
        #expect(error?.code == .invalidBody)
        #expect(fixture.transport.requests.isEmpty)
    }

    @Test func `a request without a body or with an encoding of its own is not compressed`()
        async throws
    {
        let none = try await BodyFixture().sent(DataRequest(.get, "x").gzipped())
        #expect(none.request.headers[.contentEncoding] == nil)
        let own = try await BodyFixture().sent(
            DataRequest(.post, "x").body(.text("abc")).header(.contentEncoding, "br").gzipped())
        #expect(own.body == Data("abc".utf8))
        #expect(own.request.headers[.contentEncoding] == "br")
    }
}
#endif
