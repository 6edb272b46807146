#if Requests
import Crypto
import DataRequestService
import Foundation
import HTTPTypes
import SkiathosLocks
import Synchronization
import Testing

extension ContractTests {
    /// A part of a form as Python's parser has found it.
    private struct Part: Decodable, Equatable {
        var name: String
        var filename: String?
        var type: String
        var length: Int
        var sha256: String
    }

    private func digest(_ data: Data) -> String {
        SHA256.hash(data: data).map { String(format: "%02x", $0) }.joined()
    }

    @Test func `another parser finds the parts of a form: data, JSON and streamed files`()
        async throws
    {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        let content = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0) })
        let file = directory.appending(path: "cover ä.png")
        try content.write(to: file)
        try await withPeer { base in
            try await withService(base) { service in
                let request = try DataRequest(.post, "multipart").multipart { form in
                    form.add("title", text: "Solace — \"ragtime\"")
                    form.add("raw", data: Data([0, 13, 10, 45, 45]), fileName: "a\"b.bin")
                    try form.add("item", json: Item(id: 1, name: "a"))
                    form.add("cover", file: file)
                }
                let parts = try await service.decode([Part].self, from: request)
                #expect(parts.map(\.name) == ["title", "raw", "item", "cover"])
                #expect(parts.last?.sha256 == digest(content))
                #expect(parts.last?.type == "image/png")
                #expect(parts.last?.filename == "cover ä.png")
                #expect(parts.dropFirst().first?.sha256 == digest(Data([0, 13, 10, 45, 45])))
                #expect(parts.dropFirst(2).first?.type == "application/json")
            }
        }
    }

    @Test func `bodies are compressed and decompressed`() async throws {
        try await withPeer { base in
            try await withService(base) { service in
                struct Named: Decodable { var name: String }
                let named = try await service.get(
                    "gzip", query: [QueryItem("size", "5000")],
                    as: [String: String].self)
                #expect(named["name"]?.count == 5000)
                let text = Data(String(repeating: "compress me ", count: 10_000).utf8)
                let back = try await service.data(
                    for: DataRequest(.post, "gunzip").body(.data(text, contentType: "text/plain"))
                        .gzipped())
                #expect(back == text)
            }
        }
    }

    @Test func `an upload reports its progress and arrives whole`() async throws {
        let reports = Reports()
        let content = Data(repeating: 9, count: 500_000)
        try await withPeer { base in
            try await withService(base) { service in
                let request = DataRequest(.put, "echo")
                    .body(.stream(length: 500_000) { pieces(5, of: content.prefix(100_000)) })
                    .onUploadProgress { sent, _ in reports.add(sent) }
                let echo = try await service.decode(Echo.self, from: request)
                #expect(echo.length == 500_000)
                #expect(echo.sha256 == digest(content))
            }
        }
        #expect(reports.all == reports.all.sorted())
        #expect(reports.all.last == 500_000)
    }

    @Test func `a download reports its progress and is resumed after an interruption`()
        async throws
    {
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let reports = Reports()
        try await withPeer { base in
            try await withService(base) { service in
                let request = DataRequest(.get, "file").query("size", "3000000")
                    .query("cut", "1000000").query("key", "resume")
                let result = try await service.download(request, to: file) {
                    reports.add($0.received)
                }
                #expect(result.size == 3_000_000)
            }
        }
        let expected = Data((0..<3_000_000).map { UInt8($0 % 251) })
        #expect(try Data(contentsOf: file) == expected)
        #expect(reports.all.last == 3_000_000)
    }
}

/// Numbers that were reported from any thread, in order.
final class Reports: Sendable {
    private let values = Lock<[Int64]>([])

    var all: [Int64] { values.withLock { $0 } }

    func add(_ value: Int64) { values.withLock { $0.append(value) } }
}
#endif
