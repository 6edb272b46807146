import Foundation
import SkiathosStore
import Testing

@Suite struct WriteAheadLogTests {
    private func size(_ path: String) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.size] as? Int ?? 0
    }

    @Test(arguments: StoreKind.allCases)
    func `syncing works before and after the first commit`(kind: StoreKind) throws {
        try kind.withStore { store in
            try store.writer.sync()
            try store.insert(User.self, user(1))
            try store.writer.sync()
        }
    }

    @Test func `the WAL does not grow without limit`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open(
            TestEntities.all, StoreOptions(checkpointSize: 4 << 20))
        let photo = [UInt8](repeating: 7, count: 40_000)
        for id in 1...600 {
            try store.insert(User.self, user(Int64(id), photo: photo))
        }
        // About 24 MB were written; the WAL stays near a thousand pages of 4 KiB.
        #expect(size(directory.file() + "-wal") < 6 << 20)
        #expect(size(directory.file()) > 16 << 20)
        try store.close()
        #expect(size(directory.file() + "-wal") == 0)
    }

    @Test func `a reader holds the WAL, which is emptied once the reader is gone`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open(
            TestEntities.all, StoreOptions(checkpointSize: 4 << 20))
        let photo = [UInt8](repeating: 7, count: 40_000)
        try store.insert(User.self, user(1))
        try store.readers[0].read { session in
            for id in 2...400 {
                try store.insert(User.self, user(Int64(id), photo: photo))
            }
            #expect(try session.count(FetchRequest(entity: store.position(User.self))) == 1)
        }
        let held = size(directory.file() + "-wal")
        #expect(held > 12 << 20)
        for id in 401...900 {
            try store.insert(User.self, user(Int64(id), photo: photo))
        }
        #expect(size(directory.file() + "-wal") <= held + (6 << 20))
        #expect(try store.ids(User.self).count == 900)
        try store.close()
    }

    @Test
    func `an interruption that was meant for a statement spares the checkpoint and the closing`()
        throws
    {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        try store.insert(User.self, user(1))
        store.writer.interrupt()
        try store.writer.withSession { try $0.checkpoint() }
        #expect(try directory.bytes("store.sqlite-wal").count > 0)
        try store.insert(User.self, user(2))
        store.writer.interrupt()
        try store.close()
        #expect(size(directory.file() + "-wal") == 0)
    }

    @Test func `a commit alone does not touch the main file`() throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        let before = try directory.bytes("store.sqlite-wal").count
        try store.insert(User.self, user(1))
        #expect(try directory.bytes("store.sqlite-wal").count > before)
        try store.close()
    }

    @Test(arguments: ["", "-wal"])
    func `nothing counts as durable once a file was removed or replaced`(suffix: String) throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        try store.insert(User.self, user(1))
        try store.writer.sync()
        let path = directory.file() + suffix
        try FileManager.default.moveItem(atPath: path, toPath: path + ".moved")
        try store.insert(User.self, user(2))
        for _ in 0..<2 {
            let error = try storeError(.interference) { try store.writer.sync() }
            #expect(error.message.contains(path))
            // Putting a copy back does not heal what was written in between.
            try? FileManager.default.copyItem(atPath: path + ".moved", toPath: path)
        }
        try? store.close()
    }
}
