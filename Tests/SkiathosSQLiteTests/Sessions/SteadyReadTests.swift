import Foundation
import SkiathosLocks
import SkiathosStore
import Synchronization
import Testing

@testable import SkiathosSQLite

@Suite struct SteadyReadTests {
    private static let checkpointSize = 1 << 20
    private let directory: TemporaryDirectory
    private let store: any PersistentStore
    private let observer = Checkpoints()
    /// What happens in the pauses that a write makes for reads; nothing, and no further one, at
    /// first.
    private let pauses = Pauses()

    init() throws {
        directory = try TemporaryDirectory()
        let options = StoreOptions(
            readerCount: 2, checkpointSize: Self.checkpointSize, observer: observer)
        var opener = StoreOpener(
            schema: try TestEntities.schema(), options: options, file: directory.file())
        opener.renewalWait = pauses.wait
        store = try opener.open()
    }

    private var request: FetchRequest { FetchRequest(entity: store.position(User.self)) }

    /// Writes about ten pages for each ID, in a transaction of its own, and checkpoints where they
    /// are needed.
    private func insert(_ ids: ClosedRange<Int64>, _ afterEach: () -> Void = {}) throws {
        let photo = [UInt8](repeating: 7, count: 40_000)
        for id in ids {
            try store.insert(User.self, user(id, photo: photo))
            afterEach()
        }
    }

    private var walSize: Int {
        get throws { try directory.bytes("store.sqlite-wal").count }
    }

    @Test func `reads that follow each other without a gap do not keep the WAL from restarting`()
        throws
    {
        let reads = store.readers.map { SteadyReads($0, request) }
        pauses.during { _ in
            for read in reads { read.next() }
            return true
        }
        try insert(1...1_500) {
            // At any moment each has a snapshot of the newest version, and so uses the WAL.
            for read in reads { read.next() }
        }
        // It would have more than 60 MB, and is long at four times the size at which a checkpoint is due.
        #expect(try walSize < 6 * Self.checkpointSize)
        // One pause is enough for a complete checkpoint beside such reads, and another one for
        // them to leave the WAL.
        let long = observer.all.count { $0.walSize > 4 * Self.checkpointSize - 10_000 }
        #expect(long > 5)
        #expect(pauses.count <= 2 * long)
        for read in reads { #expect(read.end() == 1_500) }
        try store.close()
    }

    @Test func `a checkpoint waits for no read while the WAL is short`() throws {
        pauses.during { _ in
            Issue.record("There was a pause.")
            return false
        }
        try insert(1...1)
        try store.readers[0].read { _ in
            for _ in 1...5 { try store.writer.withSession { try $0.checkpoint() } }
            try insert(2...60)
        }
        #expect(observer.all.contains { $0.isHeldByRead })
        try store.close()
    }

    @Test func `a checkpoint waits once for a long read, and the WAL grows`() throws {
        pauses.during { $0 < 3 }
        try insert(1...1)
        try store.readers[0].read { session in
            try insert(2...500)
            #expect(try session.count(request) == 1)
            #expect(try walSize > 12 * Self.checkpointSize)
            #expect(observer.all.last?.isHeldByRead == true)
            #expect(pauses.count == 4)
        }
        // The next one is another read.
        try store.readers[0].read { session in
            try insert(501...800)
            #expect(try session.count(request) == 500)
            #expect(pauses.count == 8)
        }
        try store.close()
    }

    @Test func `a long read does not keep others from a new snapshot`() throws {
        try insert(1...1)
        let lasting = SteadyReads(store.readers[0], request)
        let other = SteadyReads(store.readers[1], request)
        try insert(2...150) { other.next() }
        #expect(other.end() == 150)
        #expect(lasting.end() == 1)
        try store.close()
    }

    @Test func `a checkpoint has snapshots renewed once, at the same version, and kept again`()
        throws
    {
        func read(_ body: (SQLiteSession) throws -> Void = { _ in }) throws -> [UInt64?] {
            try store.readers[0].read { session in
                let session = try #require(session as? SQLiteSession)
                try body(session)
                return [session.heldVersion, session.committedVersion]
            }
        }
        try insert(1...1)
        let before = try read()
        #expect(before[0] != nil)
        #expect(before[0] == before[1])
        let connection = try #require(store.readers[0] as? SQLiteReader)
        let version = try #require(
            try store.writer.withSession { ($0 as? SQLiteSession)?.version })
        let during = try read { _ in
            try store.writer.withSession { try $0.checkpoint() }
            // It continues with its snapshot.
            #expect(connection.pin.isHeld(before: version.lastRenewal))
        }
        #expect(during == before)
        for _ in 1...3 {
            #expect(try read() == before)
            #expect(!connection.pin.isHeld(before: version.lastRenewal))
            #expect(connection.pin.isHeld(before: version.lastRenewal + 1))
        }
        // Idle connections release their snapshots at once.
        try store.writer.withSession { try $0.checkpoint() }
        #expect(!connection.pin.isHeld(before: version.lastRenewal + 1))
        try store.close()
    }

    @Test func `a reserved snapshot outlasts commits and checkpoints until its read has ended`()
        throws
    {
        let reader = store.readers[0]
        try insert(1...1)
        #expect(try reader.read { try $0.count(request) } == 1)
        let version = try #require(reader.reserve()?.version)
        try insert(2...60)
        try store.writer.withSession { try $0.checkpoint() }
        try reader.readReserved { (session: any StoreSession) throws -> Void in
            #expect(session.committedVersion == version)
            #expect(try session.count(request) == 1)
        }
        #expect(observer.all.contains { $0.isHeldByRead })
        #expect(try reader.readReserved { try $0.count(request) } == 1)
        reader.endReservation(discarding: false)
        #expect(reader.reserve()?.version != version)
        #expect(try reader.readReserved { try $0.count(request) } == 60)
        reader.endReservation(discarding: true)
        #expect(try reader.read { try $0.count(request) } == 60)
        try store.close()
    }

    @Test func `a read that fails leaves no trace of its snapshot`() throws {
        struct Refused: Error {}
        let connection = try #require(store.readers[0] as? SQLiteReader)
        #expect(throws: Refused.self) { try connection.read { _ in throw Refused() } }
        #expect(!connection.pin.isHeld(before: .max))
        try store.close()
    }

    @Test func `the pauses of a checkpoint become longer and end`() {
        let start = ContinuousClock.now
        var pauses = 0
        while EpochWait.shortly.pause(pauses) { pauses += 1 }
        #expect(pauses == 14)
        #expect(start.duration(to: .now) > .milliseconds(9))
    }
}

/// The checkpoints that were made.
private final class Checkpoints: StoreObserver {
    private let made = Lock<[StoreCheckpoint]>([])

    var all: [StoreCheckpoint] { made.withLock { $0 } }

    func walGrew(size: Int) {}
    func filesFailed(_ error: StoreError) {}

    func checkpointMade(_ checkpoint: StoreCheckpoint) { made.withLock { $0.append(checkpoint) } }
}

/// Stands for the time that passes while a write waits for reads.
private final class Pauses: Sendable {
    private let body = Lock<@Sendable (Int) -> Bool>({ _ in false })
    private let made = Lock(0)

    /// How often a write has asked for one.
    var count: Int { made.withLock { $0 } }

    var wait: EpochWait {
        EpochWait { pauses in
            self.made.withLock { $0 += 1 }
            return self.body.withLock { $0 }(pauses)
        }
    }

    func during(_ body: @escaping @Sendable (Int) -> Bool) { self.body.withLock { $0 = body } }
}

/// A connection that is never without a read: the next one begins as soon as the last has ended.
private final class SteadyReads: Sendable {
    private let goesOn = Lock(true)
    private let found = Lock(0)
    private let door = DispatchSemaphore(value: 0)
    private let inside = DispatchSemaphore(value: 0)
    private let isOver = DispatchSemaphore(value: 0)

    /// Begins the first.
    init(_ reader: any StoreReader, _ request: FetchRequest) {
        Thread.detachNewThread { [self] in
            while goesOn.withLock({ $0 }) {
                try? reader.read { session in
                    let count = try session.count(request)
                    found.withLock { $0 = count }
                    inside.signal()
                    door.wait()
                }
            }
            isOver.signal()
        }
        inside.wait()
    }

    /// Ends the running read, and begins another.
    func next() {
        door.signal()
        inside.wait()
    }

    /// Ends the last one, and returns how many rows it has found.
    func end() -> Int {
        goesOn.withLock { $0 = false }
        door.signal()
        isOver.wait()
        return found.withLock { $0 }
    }
}
