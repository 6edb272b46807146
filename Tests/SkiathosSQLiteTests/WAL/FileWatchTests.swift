import Foundation
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// A gap in the WAL is found, wherever it is.
@Suite struct FileWatchTests {
    private let frameSize = 4_120

    @Test func `a WAL that was overwritten with an earlier one is noticed by the next sync`() throws
    {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        func insert(_ ids: ClosedRange<Int64>) throws {
            for id in ids { try store.insert(User.self, user(id)) }
            try store.writer.sync()
        }
        try insert(1...3)
        let earlier = try directory.bytes("store.sqlite-wal")
        try store.writer.withSession { try $0.checkpoint() }
        try insert(4...6)
        // In its place: the file stays the one that was opened.
        let file = try FileHandle(
            forUpdating: URL(fileURLWithPath: directory.file("store.sqlite-wal")))
        try file.write(contentsOf: earlier)
        try file.close()
        let error = #expect(throws: StoreError.self) { try store.writer.sync() }
        #expect(error?.code == .interference)
        #expect(throws: StoreError.self) { try store.close() }
    }

    @Test(.seeded, arguments: 0..<40)
    func `a WAL that was cut and has grown again is noticed by the next sync`(round: Int) throws {
        var random = SeededNumbers(seed: Seed.current &+ UInt64(round))
        let directory = try TemporaryDirectory()
        // Without a checkpoint, after which a cut would do no harm.
        let options = StoreOptions(checkpointSize: 1 << 30)
        let store = try directory.open(TestEntities.all, options)
        let writer = try #require(store.writer as? SQLiteWriter)
        var id: Int64 = 0
        func insert() throws {
            id += 1
            // From a single write of a few frames to several of many.
            let size = 1 << Int.random(in: 4...18, using: &random)
            try store.insert(User.self, user(id, photo: Array(repeating: 7, count: size)))
        }
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            try insert()
            if Int.random(in: 0..<3, using: &random) == 0 { try writer.sync() }
        }
        let path = directory.file("store.sqlite-wal")
        let size = try directory.bytes("store.sqlite-wal").count
        let frames = (size - 32) / frameSize
        // Where the last frame would lose its header, and no more.
        let cut = Int.random(in: 0...(32 + (frames - 1) * frameSize), using: &random)
        let error = #expect(throws: StoreError.self) {
            #expect(truncate(path, cut) == 0)
            for _ in 0..<Int.random(in: 1...3, using: &random) { try insert() }
            try writer.sync()
        }
        #expect(error?.code == .interference)
        #expect(throws: StoreError.self) { try store.close() }
    }
}
