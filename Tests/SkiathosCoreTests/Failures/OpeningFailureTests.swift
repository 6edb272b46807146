import Foundation
import Skiathos
import SkiathosTesting
import Testing

struct OpeningFailureTests {
    @Test(arguments: [
        ("", StoreError.Code.invalidPath, "empty"),
        ("file:test.sqlite", .invalidPath, "file:"),
        (":memory:", .invalidPath, ".inMemory"),
        ("test\0.sqlite", .invalidPath, "NUL"),
        ("missing/test.sqlite", .invalidPath, "missing"),
        ("directory", .invalidPath, "directory"),
        ("letter", .notADatabase, "letter"),
        ("damaged", .damaged, "damaged"),
    ])
    func `a path that cannot be opened is refused with its reason and left alone`(
        name: String, code: StoreError.Code, reason: String
    ) async throws {
        let store = try TemporaryStore()
        let directory = store.directory
        try FileManager.default.createDirectory(
            atPath: directory.file("directory"), withIntermediateDirectories: false)
        try Self.write(Data("Dear reader, this is a letter.".utf8), to: directory.file("letter"))
        try await DataAccessLayer.fixture(at: directory.file("damaged")).close()
        var bytes = try Data(contentsOf: URL(fileURLWithPath: directory.file("damaged")))
        bytes.replaceSubrange(100..<4096, with: Data(repeating: 0xEE, count: 3996))
        try Self.write(bytes, to: directory.file("damaged"))

        let isRelative = ["", ":memory:", "file:test.sqlite"].contains(name)
        let error = await #expect(throws: StoreError.self) {
            try await DataAccessLayer.fixture(at: isRelative ? name : directory.file(name))
        }
        #expect(error?.code == code)
        #expect(error?.message.contains(reason) == true, "\(error?.message ?? "none")")
        let after = try Data(contentsOf: URL(fileURLWithPath: directory.file("damaged")))
        #expect(after == bytes)
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(
            Set(names).isSubset(of: [
                "damaged", "damaged.lock", "directory", "letter", "letter.lock",
            ]))
    }

    @Test func `a store of other entities is refused with a plan and left as it was`() async throws
    {
        let store = try TemporaryStore()
        let first = try await store.open()
        try await first.write { try Company.create(in: $0) { $0.name = "Acme" } }
        try await first.close()
        let before = try store.contents()
        let error = await #expect(throws: StoreError.self) {
            try await DataAccessLayer.open(.sqlite(store.path), entities: Company.self)
        }
        #expect(error?.code == .schemaMismatch)
        for word in ["user", "country", "continent", "reading", "drop"] {
            #expect(error?.message.lowercased().contains(word) == true, "\(word)")
        }
        #expect(error?.message.contains("Acme") == false)
        #expect(try store.contents()["test.sqlite"] == before["test.sqlite"])
    }

    @Test func `entities that contradict each other are refused`() async throws {
        let twice = await #expect(throws: StoreError.self) {
            try await DataAccessLayer.open(.inMemory, entities: Company.self, Company.self)
        }
        #expect(twice?.code == .invalidSchema)
        let lacking = await #expect(throws: StoreError.self) {
            try await DataAccessLayer.open(.inMemory, entities: User.self)
        }
        #expect(lacking?.code == .invalidSchema)
        #expect(lacking?.message.contains("Company") == true)
    }

    @Test(arguments: [(0, 1), (65, 1), (4, -1)])
    func `a configuration out of range is refused`(readers: Int, cache: Int) async throws {
        var configuration = Configuration()
        configuration.readerCount = readers
        configuration.cacheSize = cache
        let refused = configuration
        let error = await #expect(throws: DataAccessError.self) {
            try await DataAccessLayer.open(
                .inMemory, entities: Company.self, configuration: refused)
        }
        #expect(error?.code == .invalidRequest)
    }

    private static func write(_ data: Data, to path: String) throws {
        try data.write(to: URL(fileURLWithPath: path))
    }
}
