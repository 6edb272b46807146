import Foundation
import Logging
import Skiathos
import SkiathosLocks
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// The effect of backups on the WAL of a store that is written meanwhile.
@Suite(.generousTimeLimit) struct BackupWALTests {
    private static let checkpointSize = 1 << 20

    private let store: TemporaryStore
    private let copy: TemporaryStore
    private let log = RecordedLog()
    private let configuration: Configuration

    init() throws {
        store = try TemporaryStore()
        copy = try TemporaryStore()
        var configuration = Configuration()
        configuration.checkpointSize = Self.checkpointSize
        configuration.walSizeLimit = 4 << 20
        configuration.logger = log.logger
        self.configuration = configuration
    }

    private var walSize: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: store.path + "-wal")
        return attributes?[.size] as? Int ?? 0
    }

    /// Writes about half a megabyte, of which one half goes into an index.
    private func write(to dal: DataAccessLayer) throws {
        try dal.write { context in
            try User.add(in: context) { $0.firstname = String(repeating: "7", count: 1 << 18) }
        }
    }

    /// Makes a backup, writes twice between its steps, and returns the largest size of the
    /// WAL.
    private func backUpWhileWriting(_ dal: DataAccessLayer) async throws -> Int {
        let greatest = Lock(0)
        let writes = Lock(0)
        try await dal.backUp(to: copy.path, overwriting: true) { [self] _ in
            let number = writes.withLock { number in
                number += 1
                return number
            }
            guard number <= 2 else { return }
            try write(to: dal)
            greatest.withLock { $0 = max($0, walSize) }
        }
        #expect(writes.withLock { $0 } > 2)
        return greatest.withLock { $0 }
    }

    @Test func `backups that follow each other keep the WAL as short as one of them does`()
        async throws
    {
        let dal = try await store.open(configuration)
        for _ in 0..<4 { try await onThread { try write(to: dal) } }
        var sizes: [Int] = []
        for _ in 0..<16 { sizes.append(try await backUpWhileWriting(dal)) }
        // One backup has two writes of half a megabyte beside it, and a WAL that is not long is
        // left as it is.
        let bound = 2 * Self.checkpointSize + (1 << 20)
        #expect(sizes.allSatisfy { $0 <= bound }, "\(sizes)")
        try await dal.close()
    }

    @Test func `a backup that finds a long WAL waits for the large write that is under way`()
        async throws
    {
        let dal = try await store.open(configuration)
        let door = Door()
        let began = Event()
        let writer = Lock<Task<Void, any Error>?>(nil)
        // The read prevents a complete checkpoint of the WAL, until the transaction of the
        // large write does.
        _ = try await dal.whileAReadIsUnderWay({ try User.count(in: $0) }) {
            for _ in 0..<4 { try await onThread { try write(to: dal) } }
            let task = Task {
                try await onThread {
                    try dal.write { context in
                        try User.update(set: { [$0.score.set(to: 1)] }, in: context)
                        began.happen()
                        door.pass()
                    }
                }
            }
            writer.withLock { $0 = task }
            await began.wait()
        }
        let sizes = Lock<[Int]>([])
        async let backup: Void = dal.backUp(to: copy.path) { [self] _ in
            guard sizes.withLock({ $0.isEmpty }) else { return }
            sizes.withLock { $0.append(walSize) }
            try write(to: dal)
            sizes.withLock { $0.append(walSize) }
        }
        await dal.waitForWriters(1)
        door.open()
        try await writer.withLock { $0 }?.value
        try await backup
        let seen = sizes.withLock { $0 }
        #expect(seen.count == 2 && seen.first == seen.last, "the WAL was not restarted: \(seen)")
        try await dal.close()
    }

    @Test func `the warning about a WAL that a backup holds names the place of the backup`()
        async throws
    {
        let dal = try await store.open(configuration)
        for _ in 0..<4 { try await onThread { try write(to: dal) } }
        let hasWritten = Lock(false)
        let line = UInt(#line) + 1
        try await dal.backUp(to: copy.path) { [self] _ in
            guard !hasWritten.withLock({ $0 }) else { return }
            hasWritten.withLock { $0 = true }
            for _ in 0..<16 { try write(to: dal) }
        }
        await log.first.wait()
        let warning = try #require(log.entries.entries.first)
        #expect(warning.level == .warning)
        #expect(warning.message.contains("a backup holds it"), "\(warning.message)")
        #expect(warning.message.contains("\(#fileID):\(line)"), "\(warning.message)")
        #expect(!warning.message.contains("another process"), "\(warning.message)")
        #expect(warning.metadata["skiathos.backup.place"] == "\(#fileID):\(line)")
        #expect(warning.metadata["skiathos.backup.duration"] != nil)
        #expect(warning.metadata["skiathos.read.place"] == nil)
        try await dal.close()
    }

    @Test func `the warning names a read that is older than the backup`() async throws {
        let dal = try await store.open(configuration)
        for _ in 0..<4 { try await onThread { try write(to: dal) } }
        let line = UInt(#line) + 1
        _ = try await dal.whileAReadIsUnderWay({ try User.count(in: $0) }) {
            // Coarse times: the backup begins later also by them.
            let now = CoarseTime.now
            while CoarseTime.now == now { await Task.yield() }
            let hasWritten = Lock(false)
            try await dal.backUp(to: copy.path) { [self] _ in
                guard !hasWritten.withLock({ $0 }) else { return }
                hasWritten.withLock { $0 = true }
                for _ in 0..<16 { try write(to: dal) }
            }
            await log.first.wait()
        }
        let warning = try #require(log.entries.entries.first)
        #expect(warning.metadata["skiathos.read.place"] == "\(#fileID):\(line)")
        #expect(warning.metadata["skiathos.backup.place"] == nil)
        try await dal.close()
    }
}
