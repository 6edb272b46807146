import Foundation
import GRDB
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosSQLite

/// Another program makes checkpoints, after which SQLite restarts the WAL with the next commit.
@Suite(.generousTimeLimit) struct ForeignCheckpointTests {
    @Test(.seeded, arguments: 0..<4)
    func `a checkpoint of another program is no interference`(round: Int) throws {
        var random = SeededNumbers(seed: Seed.current &+ UInt64(round))
        let directory = try TemporaryDirectory()
        let alarm = Alarm()
        let store = try alarm.open(directory)
        let writer = try #require(store.writer as? SQLiteWriter)
        let other = try DatabaseQueue(path: directory.file())
        var count: Int64 = 0
        for _ in 1...50 {
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                count += 1
                try store.insert(Company.self, [.integer(count), .text("a\(count)")])
                if Bool.random(using: &random) { try writer.sync() }
            }
            while alarm.count > 0 { alarm.ring() }
            try other.inDatabase { database in
                let row = try #require(try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint"))
                #expect(row["log"] as Int? == row["checkpointed"])
            }
        }
        try writer.sync()
        #expect(try store.all(Company.self).count == Int(count))
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        try other.close()
        try store.close()
    }

    @Test func `syncs go on beside commits that follow on checkpoints of another program`() throws {
        let directory = try TemporaryDirectory()
        // So long that the store makes no checkpoint, which would find the lock of the other one.
        let store = try directory.open(TestEntities.all, StoreOptions(checkpointSize: 1 << 30))
        let writer = try #require(store.writer as? SQLiteWriter)
        let path = directory.file()
        let isDone = Atomic(false)
        let count = Atomic<Int64>(0)
        // SQLite before 3.51.3 can damage a file that one connection writes to while another checkpoints it.
        let turn = Lock(())
        let insertion: @Sendable () throws -> Void = {
            defer { isDone.store(true, ordering: .relaxed) }
            var (restarts, last) = (0, 0)
            while restarts < 20 {
                let id = count.wrappingAdd(1, ordering: .relaxed).newValue
                let pages = try turn.withLock { _ in
                    try store.insert(Company.self, [.integer(id), .text("a\(id)")])
                    // Ends the read that the writer keeps, so that the other program can copy everything.
                    return try writer.access { $0.wal?.pages ?? 0 }
                }
                if pages < last { restarts += 1 }
                last = pages
            }
        }
        let syncing: @Sendable () throws -> Void = {
            while !isDone.load(ordering: .relaxed) { try writer.sync() }
        }
        let checkpointing: @Sendable () throws -> Void = {
            let other = try DatabaseQueue(path: path)
            while !isDone.load(ordering: .relaxed) {
                try turn.withLock { _ in
                    try other.inDatabase { try $0.execute(sql: "PRAGMA wal_checkpoint") }
                }
            }
            try other.close()
        }
        let failures = Lock<[any Error]>([])
        let group = DispatchGroup()
        for work in [insertion, syncing, checkpointing] {
            group.enter()
            Thread.detachNewThread {
                defer { group.leave() }
                do { try work() } catch { failures.withLock { $0.append(error) } }
            }
        }
        group.wait()
        #expect(failures.withLock { $0 }.isEmpty, "\(failures.withLock { $0 })")
        #expect(try store.all(Company.self).count == Int(count.load(ordering: .relaxed)))
        #expect(try store.anyReader.read { try $0.integrityProblems() } == [])
        try store.close()
    }
}
