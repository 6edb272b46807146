import Foundation
import SkiathosLocks
import SkiathosStore
import Synchronization
import Testing

@Suite struct StoreObserverTests {
    private final class Observer: StoreObserver {
        let sizes = Lock<[Int]>([])
        let checkpoints = Lock<[StoreCheckpoint]>([])

        func walGrew(size: Int) { sizes.withLock { $0.append(size) } }
        func filesFailed(_ error: StoreError) {}

        func checkpointMade(_ checkpoint: StoreCheckpoint) {
            checkpoints.withLock { $0.append(checkpoint) }
        }
    }

    private static let limit = 1 << 20
    private let directory: TemporaryDirectory
    private let observer = Observer()
    private let store: any PersistentStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try directory.open(
            TestEntities.all,
            StoreOptions(checkpointSize: 4 << 20, walSizeLimit: Self.limit, observer: observer))
    }

    private var fileSize: Int {
        get throws { try directory.bytes("store.sqlite-wal").count }
    }

    /// Writes 40 kB for each ID.
    private func insert(_ ids: ClosedRange<Int>) throws {
        let photo = [UInt8](repeating: 7, count: 40_000)
        for id in ids { try store.insert(User.self, user(Int64(id), photo: photo)) }
    }

    @Test func `each commit reports the size of the WAL`() throws {
        for id in 1...3 {
            try insert(id...id)
            #expect(try observer.sizes.withLock { $0.last } == fileSize)
        }
        #expect(observer.sizes.withLock { $0.count } == 3)
        #expect(observer.checkpoints.withLock { $0.isEmpty })
        try store.close()
    }

    @Test func `a checkpoint reports whether a read keeps the WAL from restarting`() throws {
        try insert(1...110)
        let free = try #require(observer.checkpoints.withLock { $0.last })
        #expect(!free.isHeldByRead)
        #expect(free.duration > .zero)
        #expect(free.walSize > 4_000_000)
        try store.readers[0].read { session in
            try insert(111...330)
            let held = try #require(observer.checkpoints.withLock { $0.last })
            #expect(held.isHeldByRead)
            #expect(held.walSize > free.walSize)
            #expect(try session.count(FetchRequest(entity: store.position(User.self))) == 110)
        }
        try store.close()
    }

    @Test func `the file is truncated to the limit once the read that held the WAL has ended`()
        throws
    {
        try insert(1...1)
        try store.readers[0].read { _ in
            try insert(2...300)
            #expect(try fileSize > 10 * Self.limit)
        }
        try insert(301...450)
        // The last commits come on top of what was left.
        #expect(try fileSize < 6 * Self.limit)
        #expect(try store.ids(User.self).count == 450)
        try store.close()
    }
}
