import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct IdleSnapshotTests {
    private let directory: TemporaryDirectory
    private let alarm = Alarm()
    private let store: any PersistentStore

    init() throws {
        directory = try TemporaryDirectory()
        store = try alarm.open(directory)
        try store.insert(User.self, user(1))
        // The writer keeps a read after its transaction.
        while alarm.count > 0 { alarm.ring() }
    }

    private func read(_ number: Int = 0) throws {
        let request = FetchRequest(entity: store.position(User.self))
        _ = try store.readers[number].read { try $0.count(request) }
    }

    @Test func `an unused snapshot is released, and no wake-up follows`() throws {
        #expect(alarm.count == 0)
        try read()
        #expect(try directory.isWALHeld())
        #expect(alarm.count == 1)
        // There was a read since the time began.
        alarm.ring()
        #expect(try directory.isWALHeld())
        #expect(alarm.count == 1)
        alarm.ring()
        #expect(try !directory.isWALHeld())
        #expect(alarm.count == 0)
        try read()
        #expect(alarm.count == 1)
        try store.close()
    }

    @Test func `a reserved snapshot is not released, however long its read takes`() throws {
        try read()
        let version = try #require(store.readers[0].reserve()?.version)
        for _ in 1...3 { alarm.ring() }
        #expect(try directory.isWALHeld())
        #expect(alarm.count == 1)
        #expect(try store.readers[0].readReserved { $0.committedVersion } == version)
        store.readers[0].endReservation(discarding: false)
        alarm.ring()
        alarm.ring()
        #expect(try !directory.isWALHeld())
        #expect(alarm.count == 0)
        try store.close()
    }

    @Test func `one wake-up at a time is enough for all connections and versions`() throws {
        for id in 2...5 {
            for number in store.readers.indices { try read(number) }
            try store.insert(User.self, user(Int64(id)))
        }
        #expect(alarm.count == 1)
        alarm.ring()
        #expect(alarm.count == 1)
        try store.close()
    }

    @Test func `a connection that is in use keeps its snapshot, others do not`() throws {
        try read(0)
        try store.readers[1].read { session in
            let request = FetchRequest(entity: store.position(User.self))
            #expect(try session.count(request) == 1)
            alarm.ring()
            alarm.ring()
            try store.insert(User.self, user(2))
            #expect(try session.count(request) == 1)
            #expect(alarm.count == 1)
        }
        alarm.ring()
        alarm.ring()
        #expect(try !directory.isWALHeld())
        #expect(alarm.count == 0)
        try store.close()
    }

    @Test func `a wake-up after the store was closed has no effect`() throws {
        try read()
        try store.close()
        alarm.ring()
        #expect(alarm.count == 0)
    }

    @Test func `a closed store leaves nothing in memory`() throws {
        weak var reader: SQLiteReader?
        do {
            let directory = try TemporaryDirectory()
            let store = try directory.open()
            reader = store.readers.first as? SQLiteReader
            #expect(reader != nil)
            try store.close()
        }
        #expect(reader == nil)
    }
}
