import Foundation
import SkiathosLocks
import SkiathosStore
import Synchronization
import Testing

@testable import SkiathosSQLite

@Suite struct SnapshotReuseTests {
    private struct Refused: Error {}
    private let directory: TemporaryDirectory
    private let store: any PersistentStore
    private let request: FetchRequest

    init() throws {
        directory = try TemporaryDirectory()
        store = try directory.open(TestEntities.all, StoreOptions(checkpointSize: 4 << 20))
        request = FetchRequest(entity: store.position(User.self))
        try store.insert(User.self, user(1))
    }

    /// Reads with the first connection, and returns how many rows there are and which version
    /// its snapshot has.
    private func read() throws -> (count: Int, version: UInt64?) {
        try store.readers[0].read { session in
            (try session.count(request), (session as? SQLiteSession)?.heldVersion)
        }
    }

    @Test func `a snapshot is kept until something newer is committed`() throws {
        let first = try read()
        #expect(first.count == 1)
        #expect(first.version != nil)
        #expect(try read().version == first.version)
        try store.insert(User.self, user(2))
        let second = try read()
        #expect(second.count == 2)
        #expect(second.version != first.version)
        try store.close()
    }

    @Test func `a write that is rolled back leaves the snapshot as it is`() throws {
        let first = try read()
        try store.writer.withSession { session in
            try session.begin()
            _ = try session.delete(request)
            try session.rollback()
        }
        let second = try read()
        #expect(second.count == 1)
        #expect(second.version == first.version)
        try store.close()
    }

    @Test func `a failed read releases its snapshot and the next one works`() throws {
        _ = try read()
        #expect(throws: Refused.self) {
            try store.readers[0].read { _ in throw Refused() }
        }
        #expect(try read().count == 1)
        try store.close()
    }

    @Test func `unused connections do not hold the WAL`() throws {
        let photo = [UInt8](repeating: 7, count: 40_000)
        for id in 2...600 {
            // Each connection in turn has a snapshot that is soon out of date.
            if id.isMultiple(of: 50) {
                for reader in store.readers { _ = try reader.read { try $0.count(request) } }
            }
            try store.insert(User.self, user(Int64(id), photo: photo))
        }
        let log = try directory.bytes("store.sqlite-wal").count
        #expect(log < 6 << 20)
        #expect(try read().count == 600)
        try store.close()
    }

    @Test func `a store that another process may write to has a new snapshot for each read`() throws
    {
        let other = try directory.open(TestEntities.all, StoreOptions(isReadOnly: true))
        for count in 1...5 {
            #expect(try other.ids(User.self).count == count)
            try store.insert(User.self, user(Int64(count + 1)))
        }
        try other.close()
        try store.close()
    }

    @Test
    func `reads beside commits see whole versions, none older than what a read or write has shown`()
        async throws
    {
        let store = store
        let request = request
        let versions = 1_000
        let shown = Shown()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for id in 2...versions {
                    try? store.insert(User.self, user(Int64(id)))
                    shown.rise(to: id)
                }
            }
            for reader in store.readers {
                group.addTask {
                    var last = 0
                    while last < versions {
                        let least = shown.count
                        let counts = try? reader.read { session in
                            [try session.count(request), try session.count(request)]
                        }
                        guard let counts else { continue }
                        #expect(counts[0] == counts[1])
                        #expect(counts[0] >= least)
                        last = counts[0]
                        shown.rise(to: last)
                    }
                }
            }
        }
        try store.close()
    }

    @Test func `reads that are interrupted at any moment leave the connection as it was`()
        async throws
    {
        let reader = store.readers[0]
        let interrupting = Task {
            while !Task.isCancelled { reader.interrupt() }
        }
        for _ in 0..<20_000 {
            // Which error it throws does not matter here.
            try? reader.read { session in
                _ = try session.count(request)
                throw Refused()
            }
        }
        interrupting.cancel()
        await interrupting.value
        #expect(try reader.read { try $0.count(request) } == 1)
        try store.close()
    }

    @Test func `all connections see what one of them has seen of a commit under way`()
        async throws
    {
        try await withHeldCommit { (count, store) throws in
            // The other connection has no snapshot of the version before.
            #expect(try count(1) == 1)
            let reservation = store.readers[0].reserve()
            #expect(reservation?.hasSnapshot == false)
            // The version before the commit, or after it.
            #expect(reservation?.version.isMultiple(of: 2) == false)
            #expect(try store.readers[0].readReserved { try $0.count(request) } == 1)
            store.readers[0].endReservation(discarding: false)
            #expect(try count(0) == 1)
        }
    }

    @Test func `a connection keeps its snapshot while a commit is under way that no read has seen`()
        async throws
    {
        try await withHeldCommit { (count, store) throws in
            let reservation = store.readers[0].reserve()
            let version = reservation?.version
            #expect(reservation?.hasSnapshot == true)
            store.readers[0].endReservation(discarding: false)
            #expect(try count(0) == 0)
            #expect(try store.readers[0].read { $0.committedVersion } == version)
            #expect(try count(1) == 1)
            #expect(try count(0) == 1)
            #expect(try store.readers[0].read { $0.committedVersion } == nil)
        }
    }

    /// Runs a closure while a commit can be read and has not returned; the first of two connections has
    /// kept a snapshot of the version before, without rows.
    private func withHeldCommit(
        _ body: (_ count: (Int) throws -> Int, _ store: any PersistentStore) throws -> Void
    ) async throws {
        let commit = HeldCommit()
        let directory = try TemporaryDirectory()
        let store = try directory.open(
            TestEntities.all, StoreOptions(readerCount: 2, observer: commit))
        let request = FetchRequest(entity: store.position(User.self))
        func count(_ reader: Int) throws -> Int {
            try store.readers[reader].read { try $0.count(request) }
        }
        #expect(try count(0) == 0)
        commit.hold()
        // On a thread of its own: the pool has one for each core, and this one blocks.
        async let writing: Void = withThrowingContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(with: Result { try store.insert(User.self, user(1)) })
            }
        }
        await commit.waitUntilHeld()
        let result = Result { try body(count, store) }
        commit.release()
        try await writing
        try result.get()
        #expect(try [count(0), count(1)] == [1, 1])
        try store.close()
    }
}

/// How many rows a read that has ended has seen, or a write that has returned has made.
private final class Shown: Sendable {
    private let most = Lock(1)

    var count: Int { most.withLock { $0 } }
    func rise(to count: Int) { most.withLock { $0 = max($0, count) } }
}

/// Holds a commit at the moment when it can be read and has not returned.
private final class HeldCommit: StoreObserver {
    private let isArmed = Lock(false)
    private let door = DispatchSemaphore(value: 0)
    private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)

    func hold() { isArmed.withLock { $0 = true } }
    func release() { door.signal() }
    func waitUntilHeld() async { _ = await arrivals.first { true } }

    func walGrew(size: Int) {
        let isHeld = isArmed.withLock { isArmed in
            defer { isArmed = false }
            return isArmed
        }
        guard isHeld else { return }
        arrival.yield()
        door.wait()
    }

    func filesFailed(_ error: StoreError) {}

    func checkpointMade(_ checkpoint: StoreCheckpoint) {}
}
