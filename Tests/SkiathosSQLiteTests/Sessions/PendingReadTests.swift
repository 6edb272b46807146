import Foundation
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import TestTools
import Testing

@testable import SkiathosSQLite

/// Reads that have reserved a connection before it has a snapshot of their version.
@Suite struct PendingReadTests {
    private struct Refused: Error {}
    private let directory: TemporaryDirectory
    private let alarm = Alarm()
    private let store: any PersistentStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try alarm.open(directory)
    }

    private var request: FetchRequest { FetchRequest(entity: store.position(User.self)) }
    private var reader: any StoreReader { store.readers[0] }

    private func insert(_ ids: ClosedRange<Int64>) throws {
        for id in ids { try store.insert(User.self, user(id)) }
    }

    /// How many rows the read with the reservation sees.
    private func count() throws -> Int { try reader.readReserved { try $0.count(request) } }

    /// How many rows the snapshot of an earlier version has, if there is one.
    private func earlierCount() throws -> Int? {
        var count: Int?
        try reader.readEarlier { session, _ in count = try session.count(request) }
        return count
    }

    /// Lets the time pass in which no snapshot is used.
    private func pass() { for _ in 1...2 { alarm.ring() } }

    // MARK: One read

    @Test func `a read has its version from its first statement, its commits notwithstanding`()
        throws
    {
        try insert(1...1)
        let reservation = try #require(reader.reserve())
        #expect(!reservation.hasSnapshot)
        try insert(2...3)
        #expect(try count() == 1)
        #expect(try reader.readReserved { $0.committedVersion } == reservation.version)
        try insert(4...4)
        #expect(try count() == 1)
        reader.endReservation(discarding: false)
        #expect(reader.reserve()?.version != reservation.version)
        #expect(try count() == 4)
        reader.endReservation(discarding: false)
        pass()
        #expect(try !directory.isWALHeld())
        try store.close()
    }

    @Test
    func `a commit beside a read that has no snapshot leaves that of the version before there`()
        throws
    {
        try insert(1...1)
        #expect(try reader.read { try $0.count(request) } == 1)
        try insert(2...2)
        _ = reader.reserve()
        #expect(try earlierCount() == 1)
        try insert(3...3)
        // The spare connection has the version of the read; this one still has the earlier one.
        #expect(try earlierCount() == nil)
        #expect(try count() == 2)
        reader.endReservation(discarding: false)
        _ = reader.reserve()
        #expect(try earlierCount() == 1)
        #expect(try count() == 3)
        #expect(try earlierCount() == nil)
        reader.endReservation(discarding: false)
        try store.close()
    }

    @Test func `a commit waits for no read that is using its connection`() throws {
        try insert(1...1)
        #expect(try reader.read { try $0.count(request) } == 1)
        try insert(2...2)
        _ = reader.reserve()
        try reader.readEarlier { session, _ throws in
            // On the thread that has the connection: a wait would never end.
            try insert(3...3)
            #expect(try session.count(request) == 1)
        }
        #expect(try count() == 2)
        reader.endReservation(discarding: false)
        try store.close()
    }

    @Test func `a checkpoint takes the snapshot of an earlier version away, and no other`() throws {
        try insert(1...1)
        #expect(try reader.read { try $0.count(request) } == 1)
        try insert(2...2)
        _ = reader.reserve()
        try store.writer.withSession { try $0.checkpoint() }
        #expect(try earlierCount() == nil)
        try insert(3...3)
        try store.writer.withSession { try $0.checkpoint() }
        #expect(try count() == 2)
        reader.endReservation(discarding: false)
        // It could not be released while it was in use, so it is not used again.
        #expect(try reader.read { try $0.count(request) } == 3)
        try insert(4...4)
        _ = reader.reserve()
        try reader.readEarlier { session, _ throws in
            try store.writer.withSession { try $0.checkpoint() }
            #expect(try session.count(request) == 3)
        }
        #expect(try earlierCount() == nil)
        #expect(try count() == 4)
        reader.endReservation(discarding: false)
        try store.close()
    }

    @Test func `an interruption reaches the spare connection`() throws {
        try insert(1...2)
        _ = reader.reserve()
        try insert(3...3)
        func interruptedRead() throws {
            try reader.readReserved { session in
                try session.fetch(request) { cursor in
                    _ = cursor.next()
                    reader.interrupt()
                    while cursor.next() {}
                }
            }
        }
        let error = #expect(throws: StoreError.self) { try interruptedRead() }
        #expect(error?.code == .interrupted)
        #expect(try count() == 2)
        reader.endReservation(discarding: true)
        #expect(try reader.read { try $0.count(request) } == 3)
        try store.close()
    }

    @Test(arguments: [false, true])
    func `a read whose version no connection could keep is refused, and the next one is not`(
        _ isReplaced: Bool
    ) throws {
        try insert(1...1)
        _ = reader.reserve()
        let aside = directory.file("aside.sqlite")
        let files = FileManager.default
        try store.writer.withSession { session in
            try session.begin()
            try session.apply([
                .insert(entity: request.entity, Rows([user(2)]))
            ])
            // The spare connection is opened by this commit.
            try files.moveItem(atPath: directory.file(), toPath: aside)
            if isReplaced { try files.copyItem(atPath: aside, toPath: directory.file()) }
            try session.commit()
            if isReplaced { try files.removeItem(atPath: directory.file()) }
            try files.moveItem(atPath: aside, toPath: directory.file())
        }
        for _ in 1...2 {
            let error = #expect(throws: StoreError.self) { try count() }
            if isReplaced { #expect(error?.code == .interference) }
        }
        reader.endReservation(discarding: true)
        #expect(try reader.read { try $0.count(request) } == 2)
        _ = reader.reserve()
        try insert(3...3)
        #expect(try count() == 2)
        reader.endReservation(discarding: false)
        try store.close()
    }

    // MARK: Any order

    private static let random = Seed.each(1, 2, 3, 4, 5, 6)

    @Test(arguments: random)
    func `reads of any order have their versions, whatever is done between their statements`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            var random = SeededNumbers(seed: seed)
            var model = Model(store: store, request: request)
            for _ in 0..<400 {
                switch random.below(20) {
                case ..<4: try model.commit()
                case 4: try model.rollBack()
                case 5: try store.writer.withSession { try $0.checkpoint() }
                case 6: alarm.ring()
                case 7: store.readers[random.below(2)].interrupt()
                default: try model.step(random.below(2), &random)
                }
            }
            model.endAll()
            pass()
            #expect(try !directory.isWALHeld())
            try store.close()
        }
    }

    /// The number of rows stands for the version: each commit inserts one.
    private struct Model {
        let store: any PersistentStore
        let request: FetchRequest
        private var count = 0
        /// The rows of each version.
        private var counts: [UInt64: Int] = [:]
        /// What the reads with reservations have to see.
        private var reads: [Int: (count: Int, hasRead: Bool)] = [:]

        init(store: any PersistentStore, request: FetchRequest) {
            self.store = store
            self.request = request
        }

        mutating func commit() throws {
            count += 1
            try store.insert(User.self, user(Int64(count)))
            try store.writer.withSession { session in
                if let version = session.committedVersion { counts[version] = count }
            }
        }

        func rollBack() throws {
            try store.writer.withSession { session in
                try session.begin()
                _ = try session.delete(request)
                try session.rollback()
            }
        }

        mutating func step(_ number: Int, _ random: inout SeededNumbers) throws {
            let reader = store.readers[number]
            guard let read = reads[number] else {
                guard random.below(4) > 0 else {
                    #expect(try reader.read { try $0.count(request) } == count)
                    return
                }
                let reservation = try #require(reader.reserve())
                #expect(counts[reservation.version, default: 0] == count)
                reads[number] = (count, false)
                return
            }
            switch random.below(8) {
            case ..<3:
                #expect(try reader.readReserved { try $0.count(request) } == read.count)
                reads[number]?.hasRead = true
            case ..<5:
                try reader.readEarlier { session, version throws in
                    #expect(!read.hasRead)
                    #expect(try session.count(request) == counts[version, default: 0])
                }
            default:
                reader.endReservation(discarding: random.below(3) == 0)
                reads[number] = nil
            }
        }

        mutating func endAll() {
            for number in reads.keys { store.readers[number].endReservation(discarding: false) }
            reads = [:]
        }
    }

    // MARK: At the same time

    @Test
    func `reads beside commits see whole versions, none older than what a read or write has shown`()
        async throws
    {
        let store = store
        let request = request
        let versions = 1_000
        let ledger = Ledger()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for count in 1...versions {
                    try? store.insert(User.self, user(Int64(count)))
                    try? store.writer.withSession { session in
                        ledger.record(count, in: session.committedVersion)
                    }
                    ledger.show(count)
                }
            }
            for (number, reader) in store.readers.enumerated() {
                group.addTask {
                    try? await onThread {
                        var last = 0
                        var random = SeededNumbers(seed: UInt64(number))
                        while last < versions {
                            let least = ledger.shown
                            guard let reservation = reader.reserve() else { continue }
                            // Commits come before the first statement, between the two, or not.
                            for _ in 0..<random.below(3) { sched_yield() }
                            let counts = try? (0..<2).map { _ in
                                try reader.readReserved { try $0.count(request) }
                            }
                            reader.endReservation(discarding: random.below(9) == 0)
                            guard let counts else { continue }
                            #expect(counts[0] == counts[1])
                            #expect(counts[0] >= least)
                            last = counts[0]
                            ledger.show(last)
                            if reservation.version.isMultiple(of: 2) {
                                let known = ledger.count(in: reservation.version)
                                #expect(known == nil || known == last)
                            }
                        }
                    }
                }
            }
        }
        try store.close()
    }
}

/// The rows of each version, and how many a read that has ended has seen or a write that has returned has
/// made.
private final class Ledger: Sendable {
    private let most = Atomic(0)
    private let counts = Lock<[UInt64: Int]>([:])

    var shown: Int { most.load(ordering: .relaxed) }
    func show(_ count: Int) { most.max(count, ordering: .relaxed) }

    func record(_ count: Int, in version: UInt64?) {
        counts.withLock { counts in version.map { counts[$0] = count } }
    }

    func count(in version: UInt64) -> Int? { counts.withLock { $0[version] } }
}
