import Dispatch
import ReliabilityKit
import Skiathos
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

/// A store may forget an interruption that comes before a statement has begun, so another one follows.
@Suite(.generousTimeLimit) struct LostInterruptionTests {
    /// The interruptions of a store that forgets the first ones.
    private final class Interruptions: Sendable {
        /// How many connections are interrupted each time.
        let connections: Int
        private let count = Atomic(0)
        private let passed = DispatchSemaphore(value: 0)

        init(connections: Int) { self.connections = connections }

        func over(_ store: any PersistentStore) -> any PersistentStore {
            ForwardingStore(store, interrupt: { self.interrupt($0) })
        }

        private func interrupt(_ connection: any StoreReader) {
            let number = count.add(1, ordering: .relaxed).newValue
            if number > connections { connection.interrupt() }
            if number > 2 * connections { passed.signal() }
        }

        /// Waits until each connection in use was interrupted; fails after a minute.
        func wait() {
            #expect(passed.wait(timeout: .now() + 60) == .success)
            passed.signal()
        }
    }

    enum Access: CaseIterable { case read, write }

    /// A store of many rows, whose interruptions get lost at first.
    private static func withStore(
        inMemory isInMemory: Bool, _ interruptions: Interruptions,
        _ body: (DataAccessLayer) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let place: StoreSource = isInMemory ? .inMemory : .sqlite(directory.file("store.sqlite"))
        var configuration = Configuration()
        configuration.readerCount = 4
        configuration.shutdownGrace.closures = .seconds(600)
        let dal = try await DataAccessLayer.open(
            place.mapped { interruptions.over($0) }, entities: Reading.self,
            configuration: configuration)
        try await dal.write { context in
            for level in 0..<1000 { try Reading.create(in: context) { $0.level = level } }
        }
        try await body(dal)
        try await dal.close()
    }

    @Test(arguments: Access.allCases, [false, true])
    func `a cancelled query ends although the store has forgotten an interruption`(
        _ access: Access, inMemory: Bool
    ) async throws {
        let interruptions = Interruptions(connections: 1)
        try await Self.withStore(inMemory: inMemory, interruptions) { dal in
            let rows = Log<Void>()
            let task = Task {
                let onRow: @Sendable () -> Void = {
                    rows.note(())
                    guard rows.entries.count == 1 else { return }
                    cancelThisTask()
                    interruptions.wait()
                }
                try await Reading.$onRow.withValue(onRow) {
                    switch access {
                    case .read: try await dal.read { _ = try Reading.all(in: $0).count }
                    case .write: try await dal.write { _ = try Reading.all(in: $0).count }
                    }
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(rows.entries.count == 1)
        }
    }

    @Test(arguments: Access.allCases, [false, true])
    func `a query ends in the time of a shutdown although the store has forgotten an interruption`(
        _ access: Access, inMemory: Bool
    ) async throws {
        // The writer, and four readers.
        let interruptions = Interruptions(connections: 5)
        try await Self.withStore(inMemory: inMemory, interruptions) { dal in
            let rows = Log<Void>()
            let began = Event()
            // On a thread of its own: the shutdown needs one of the pool.
            let query = Task {
                try await onThread {
                    let onRow: @Sendable () -> Void = {
                        rows.note(())
                        guard rows.entries.count == 1 else { return }
                        began.happen()
                        interruptions.wait()
                    }
                    try Reading.$onRow.withValue(onRow) {
                        switch access {
                        case .read: try dal.read { _ = try Reading.all(in: $0).count }
                        case .write: try dal.write { _ = try Reading.all(in: $0).count }
                        }
                    }
                }
            }
            await began.wait()
            let report = await dal.shutDown(within: .zero)
            #expect(report.isClosed)
            #expect(report.unfinished == 0)
            let error = await #expect(throws: DataAccessError.self) { try await query.value }
            #expect(error?.code == .closed)
            #expect(rows.entries.count == 1)
        }
    }
}
