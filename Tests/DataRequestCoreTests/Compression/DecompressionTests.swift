#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import TestSupport
import Testing

@testable import DataRequestCore

struct DecompressionTests {
    static let text = Data(String(repeating: "Solace, a Mexican serenade. ", count: 5_000).utf8)

    private func fixture(
        _ body: Data, _ encoding: String, piece: Int = 1_000, status: HTTPResponse.Status = .ok,
        configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) throws -> BodyFixture {
        let answer = ScriptedAnswer.data(body, contentType: "text/plain", status: status)
            .header(.contentEncoding, encoding).header(.contentLength, "\(body.count)")
            .inPieces(of: piece)
        return try BodyFixture(RecordingTransport().on(nil, "*", answer), configure: configure)
    }

    static func gzip(_ data: Data) throws -> Data {
        let deflater = try Deflater()
        return try deflater.compress(data) + deflater.compress(nil)
    }

    /// The bytes between the header and the trailer of gzip, which are the bare format.
    static func raw(_ data: Data) throws -> Data { try gzip(data).dropFirst(10).dropLast(8) }

    /// The bare format between the header and the checksum of zlib.
    static func zlib(_ data: Data) throws -> Data {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in data {
            a = (a + UInt32(byte)) % 65_521
            b = (b + a) % 65_521
        }
        let sum = b << 16 | a
        let trailer = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) }
        return try Data([0x78, 0x9c]) + raw(data) + Data(trailer)
    }

    @Test(arguments: [1, 2, 7, 1_000, 1 << 20])
    func `answers are decompressed however they are cut`(piece: Int) async throws {
        let forms: [(Data, String)] = [
            (try Self.gzip(Self.text), "gzip"), (try Self.gzip(Self.text), "X-GZip"),
            (try Self.zlib(Self.text), "deflate"), (try Self.raw(Self.text), "deflate"),
            (
                try Self.gzip(Self.text.prefix(70_000)) + Self.gzip(Self.text.dropFirst(70_000)),
                "gzip"
            ),
            (try Self.gzip(Self.zlib(Self.text)), "deflate, gzip"), (Self.text, "identity"),
            (try Self.gzip(Data()) + Self.gzip(Self.text) + Self.gzip(Data()), "gzip"),
        ]
        for (body, encoding) in forms {
            let fixture = try fixture(body, encoding, piece: piece)
            #expect(try await fixture.service.get("x") == Self.text, "\(encoding)")
            let request = try #require(fixture.transport.requests.first?.request)
            #expect(request.headers[.acceptEncoding] == "gzip, deflate")
        }
    }

    @Test func `the headers of the encoding are gone and its length is kept`() async throws {
        let body = try Self.gzip(Self.text)
        let response = try await fixture(body, "gzip").service.response(for: DataRequest(.get, "x"))
        #expect(response.headers[.contentEncoding] == nil)
        #expect(response.headers[.contentLength] == nil)
        #expect(response.body.length == nil)
        #expect(
            response.decodedContent
                == DecodedContent(encoding: "gzip", encodedLength: Int64(body.count)))
    }

    @Test func `a body that is truncated, damaged or too long is malformed`() async throws {
        let good = try Self.gzip(Self.text)
        var damaged = good
        damaged[good.count - 5] ^= 1
        var bodies: [(Data, String)] = [
            (damaged, "gzip"), (good + Data("x".utf8), "gzip"), (good + Data([0, 0, 0]), "gzip"),
            (good + good.prefix(9), "gzip"), (Self.text, "gzip"), (Self.text, "deflate"),
            (try Self.zlib(Self.text) + Data([0]), "deflate"), (Data([0x1f]), "gzip"),
            (Data([7]), "deflate"), (try Self.gzip(good), "deflate, gzip"),
        ]
        for cut in [1, 2, 9, 10, 11, 300, good.count - 8, good.count - 1] {
            bodies.append((good.prefix(cut), "gzip"))
        }
        for (body, encoding) in bodies {
            for piece in [1, 1 << 20] {
                let fixture = try fixture(body, encoding, piece: piece)
                let error = await failure { try await fixture.service.get("x") }
                #expect(error?.code == .malformedResponse)
            }
        }
    }

    @Test func `a bomb is stopped by its ratio or by its size`() async throws {
        let bomb = try Self.gzip(Data(count: 40 << 20))
        let dense = try fixture(bomb, "gzip") { $0.maximumBodySize = 100 << 20 }
        let error = await failure { try await dense.service.get("x") }
        #expect(error?.code == .tooLarge)
        #expect(error?.message.contains("300 times") == true)
        let large = try fixture(bomb, "gzip") {
            $0.decompression.maximumRatio = 10_000
            $0.decompression.maximumSize = 2 << 20
            $0.maximumBodySize = 100 << 20
        }
        let second = await failure { try await large.service.get("x") }
        #expect(second?.code == .tooLarge)
        #expect(second?.message.contains("2097152") == true)
    }

    @Test func `the ratio of nested encodings is that of all together`() async throws {
        var numbers = SeededNumbers(seed: 3)
        let block = numbers.bytes(400) + Data(count: 60_000)
        // Equal members one after the other, which are compressed a second time.
        let once = try [Data](repeating: Self.gzip(block), count: 100).reduce(Data(), +)
        let twice = try Self.gzip(once)
        let whole = [Data](repeating: block, count: 100).reduce(Data(), +)
        // Either encoding alone is within the limit.
        #expect(whole.count < 300 * once.count && once.count < 300 * twice.count)
        #expect(whole.count > 1_000 * twice.count)
        for encoding in ["gzip, gzip", "gzip, identity, x-gzip"] {
            let nested = try fixture(twice, encoding)
            let error = await failure { try await nested.service.get("x") }
            #expect(error?.code == .tooLarge)
            #expect(error?.message.contains("300 times") == true)
            let allowed = try fixture(twice, encoding, piece: 7) {
                $0.decompression.maximumRatio = 100_000
            }
            #expect(try await allowed.service.get("x") == whole)
        }
    }

    @Test func `an error names an unknown encoding, if that is a valid name`() async throws {
        let error = try await Self.error(of: fixture(Self.text, "br"))
        #expect(error?.code == .unsupportedEncoding)
        #expect(error?.message.contains("as br;") == true)
        let strange = try await Self.error(of: fixture(Self.text, "<secret>"))
        #expect(strange?.message.contains("secret") == false)
        let many = try await Self.error(of: fixture(Self.text, "gzip,gzip,gzip,gzip"))
        #expect(many?.code == .unsupportedEncoding)
        let missing = try await Self.error(of: fixture(Self.text, "br", status: .notFound))
        #expect(missing?.code == .unexpectedStatus)
    }

    private static func error(of fixture: BodyFixture) async -> DataRequestError? {
        await failure { try await fixture.service.get("x") }
    }

    @Test func `a request that names its encodings, or none, gets the body unchanged`() async throws
    {
        let fixture = try fixture(Self.text, "br")
        let request = DataRequest(.get, "x").header(.acceptEncoding, "br")
        #expect(try await fixture.service.data(for: request) == Self.text)
        let gzipped = try Self.gzip(Self.text)
        let off = try self.fixture(gzipped, "gzip") { $0.decompression.isEnabled = false }
        #expect(try await off.service.get("x") == gzipped)
        #expect(off.transport.requests.first?.request.headers[.acceptEncoding] == nil)
    }

    @Test(arguments: [
        ("gzip", false), ("gzip, deflate", false), ("GZIP;q=0.5", false), ("br", false),
        ("*", false), ("identity, gzip", false), ("identity", true), ("Identity", true),
    ])
    func `a request that names encodings gets encoded bytes, and one that wants none does not`(
        accepted: String, isDecoded: Bool
    ) async throws {
        let encoded: [(Data, String)] = [
            (try Self.gzip(Self.text), "gzip"), (try Self.zlib(Self.text), "deflate"),
            (try Self.gzip(Self.zlib(Self.text)), "deflate, gzip"),
        ]
        for (body, encoding) in encoded {
            let fixture = try fixture(body, encoding)
            let request = DataRequest(.get, "x").header(.acceptEncoding, accepted)
            let data = try await fixture.service.data(for: request)
            #expect(data == (isDecoded ? Self.text : body), "\(encoding)")
            let response = try await fixture.service.response(for: request)
            #expect(response.headers[.contentEncoding] == (isDecoded ? nil : encoding))
            #expect(response.headers[.contentLength] == (isDecoded ? nil : "\(body.count)"))
            #expect((response.decodedContent != nil) == isDecoded)
        }
    }

    @Test func `a download that names its encoding stores the encoded bytes`() async throws {
        try await withFiles { directory in
            let body = try Self.gzip(Self.text)
            let fixture = try fixture(body, "gzip")
            let file = directory.appending(path: "a.txt.gz")
            let request = DataRequest(.get, "x").header(.acceptEncoding, "gzip")
            let result = try await fixture.service.download(request, to: file)
            #expect(result.size == Int64(body.count))
            #expect(try Data(contentsOf: file) == body)
        }
    }

    @Test func `a partial file is resumed only by a request that accepts the same encodings`() {
        let plain = DataRequest(.get, "x")
        let sources = [plain, plain.header(.acceptEncoding, "gzip"), plain.header(.accept, "*/*")]
            .map { ResumeRecord.source(of: $0) }
        #expect(sources[0] != sources[1])
        #expect(sources[0] == sources[2])
    }

    @Test func `a range request accepts no encoding, and HEAD and empty answers are unchanged`()
        async throws
    {
        let fixture = try fixture(Data(), "gzip")
        let range = DataRequest(.get, "x").header(.range, "bytes=1-")
        let response = try await fixture.service.response(for: range)
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(fixture.transport.requests.first?.request.headers[.acceptEncoding] == nil)
        let head = try await self.fixture(Self.text, "gzip").service.head("x")
        #expect(head.headers[.contentEncoding] == "gzip")
    }

    @Test func `an encoded download is stored decoded, and never resumed`() async throws {
        try await withFiles { directory in
            let body = try Self.gzip(Self.text)
            let answer = ScriptedAnswer.data(body).header(.contentEncoding, "gzip")
                .header(.eTag, "\"1\"").inPieces(of: 50)
            let transport = RecordingTransport(clock: HurriedClock())
                .on(.get, "*", answer.failing(after: 300), answer)
            let fixture = try BodyFixture(transport) { $0.clock = HurriedClock() }
            let file = directory.appending(path: "a.txt")
            _ = try await fixture.service.download(DataRequest(.get, "x"), to: file)
            #expect(try Data(contentsOf: file) == Self.text)
            #expect(transport.requests.allSatisfy { $0.request.headers[.range] == nil })
        }
    }
}
#endif
