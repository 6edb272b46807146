import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

/// The effect of a checkpoint that failed on the disk on all later calls.
@Suite(.generousTimeLimit) struct CheckpointFailureTests {
    /// A checkpoint begins by syncing the WAL.
    ///
    /// When that fails, the system drops what it could not write, and a later sync succeeds without
    /// it.
    @Test func `nothing counts as durable once a checkpoint could not sync the WAL`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        let opened = Lock<(any PersistentStore)?>(nil)
        let source = StoreSource(description: volume.path) { schema, options in
            let store = try StoreSource.sqlite(volume.path).open(schema, options)
            opened.withLock { $0 = store }
            return store
        }
        let dal = try await DataAccessLayer.open(source, entities: Item.self)
        try await dal.write { try Item.create(id: Item.ID(rawValue: "written"), in: $0) }

        // Behind the back of the data access layer, which would detect the failure a moment later
        // than the next sync.
        let store = try #require(opened.withLock { $0 })
        volume.fail(Fault(.sync, .wal, result: 1034))
        #expect(throws: StoreError.self) {
            try store.writer.withSession { try $0.checkpoint() }
        }
        #expect(throws: StoreError.self) { try store.writer.sync() }
        await #expect(throws: StoreError.self) { try await dal.flush() }
        await #expect(throws: StoreError.self) {
            try await dal.write(acknowledging: .durable) {
                try Item.create(id: Item.ID(rawValue: "late"), in: $0)
            }
        }
        _ = try? await dal.close()
    }
}
