import SkiathosStore
import Testing

@Suite struct CheckpointNeedTests {
    private let directory: TemporaryDirectory
    private let store: any PersistentStore

    init() throws {
        directory = try TemporaryDirectory()
        // A checkpoint is due after about 250 pages.
        store = try directory.open(TestEntities.all, StoreOptions(checkpointSize: 1 << 20))
    }

    /// Writes about ten pages for each ID, in one transaction.
    private func insert(_ ids: ClosedRange<Int64>) throws {
        let photo = [UInt8](repeating: 7, count: 40_000)
        let rows = ids.map { user($0, photo: photo) }
        let entity = store.position(User.self)
        try store.writer.withSession { session in
            try session.begin()
            try session.apply([.insert(entity: entity, Rows(rows))])
            try session.commit()
        }
    }

    private var need: CheckpointNeed {
        get throws { try store.writer.withSession { $0.checkpointNeed } }
    }

    private func checkpoint() throws { try store.writer.withSession { try $0.checkpoint() } }

    @Test(arguments: [100, 101, 300])
    func `a large write that restarts the WAL needs a checkpoint again`(size: Int64) throws {
        try insert(1...100)
        #expect(try need > .none)
        try checkpoint()
        #expect(try need == .none)
        try insert(101...(100 + size))
        #expect(try need > .none)
        try checkpoint()
        #expect(try need == .none)
        try store.close()
    }

    @Test
    func `a WAL that a read keeps from restarting needs a checkpoint when it has grown as much`()
        throws
    {
        try insert(1...100)
        try store.readers[0].read { _ in
            try checkpoint()
            // Behind what is in the main file already.
            try insert(101...110)
            #expect(try need == .none)
            try insert(111...130)
            #expect(try need == .due)
        }
        try store.close()
    }

    @Test func `the need of a checkpoint is detected after the WAL grew and then restarted`() throws
    {
        try insert(1...100)
        try store.readers[0].read { _ in
            try checkpoint()
            try insert(101...110)
        }
        try checkpoint()
        try insert(111...230)
        #expect(try need > .none)
        try store.close()
    }
}
