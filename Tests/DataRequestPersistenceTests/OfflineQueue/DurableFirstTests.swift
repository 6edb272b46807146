#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@testable import DataRequestPersistence

/// A request reaches the server only after the change that it belongs to is on the disk.
@Suite(.generousTimeLimit) struct DurableFirstTests {
    /// The requests that a sync of the store has covered, and those that came to the server before.
    private final class SyncLog: Sendable {
        private struct State {
            /// Another view of the store, which sees what is committed.
            var onlooker: DataAccessLayer?
            var syncs = 0
            var durable: Set<String> = []
            var early: [String] = []
        }

        private let state = Lock(State())

        var syncs: Int { state.withLock { $0.syncs } }
        var early: [String] { state.withLock { $0.early } }

        func look(through onlooker: DataAccessLayer?) {
            state.withLock { $0.onlooker = onlooker }
        }

        /// Runs a sync, which covers what was committed when it began.
        func sync(_ body: () throws -> Void) throws {
            guard let onlooker = state.withLock({ $0.onlooker }) else { return try body() }
            let committed = try onlooker.read {
                try QueuedRequest.query.select { $0.path }.all(in: $0)
            }
            try body()
            state.withLock { state in
                state.syncs += 1
                state.durable.formUnion(committed)
            }
        }

        /// Records a request that comes to the server.
        func arrived(_ path: String) {
            state.withLock { if !$0.durable.contains(path) { $0.early.append(path) } }
        }
    }

    /// How requests get to the server.
    enum Way: String, CaseIterable {
        case running, deliveringNow
    }

    private static func enqueue(
        _ path: String, key: String, _ level: Acknowledgement, _ dal: DataAccessLayer
    ) async throws {
        try await dal.write(acknowledging: level) {
            try $0.enqueue(DataRequest(.post, path).body(.data(Data("{}".utf8))), key: key)
        }
    }

    private static func withQueue(
        _ removal: Acknowledgement,
        _ body: (QueueFixture, SyncLog) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let log = SyncLog()
        let file = StoreSource.sqlite(directory.file("store.sqlite"))
        let source = file.mapped { store in
            ForwardingStore(store, sync: { writer in try log.sync { try writer.sync() } })
        }
        let dal = try await DataAccessLayer.open(source, entities: DataRequestEntities.all)
        var reading = Configuration()
        reading.isReadOnly = true
        let onlooker = try await DataAccessLayer.open(
            file, entities: DataRequestEntities.all, configuration: reading)
        log.look(through: onlooker)
        let fixture = try QueueFixture(dal) { $0.removal = removal }
        try await body(fixture, log)
        log.look(through: nil)
        try await onlooker.close()
        try await dal.close()
    }

    @Test(arguments: Way.allCases, [Acknowledgement.merged, .committed, .durable])
    func `no request comes before its change is on the disk`(
        _ way: Way, _ level: Acknowledgement
    ) async throws {
        try await Self.expectNothingEarly(way, level, .durable)
        try await Self.expectNothingEarly(way, level, .committed)
    }

    private static func expectNothingEarly(
        _ way: Way, _ level: Acknowledgement, _ removal: Acknowledgement
    ) async throws {
        try await withQueue(removal) { fixture, log in
            let (dal, queue) = (fixture.dal, fixture.queue)
            fixture.server.script { path, _ in
                log.arrived(path)
                // More is enqueued while the round is under way, for the same key and for another.
                if !path.contains("later") {
                    try await enqueue("\(path)-later", key: "key \(path)", level, dal)
                    try await enqueue("\(path)-other-later", key: "other", level, dal)
                }
                return .ok
            }
            for number in 0..<6 {
                try await enqueue("\(number)", key: "key \(number % 3)", level, dal)
            }
            switch way {
            case .running:
                let events = queue.events
                try await fixture.running { _ = await events.first(18) }
            case .deliveringNow:
                while try await queue.counts().pending > 0 { _ = try await queue.deliverNow() }
            }
            #expect(fixture.server.paths.count == 18)
            #expect(log.early == [], "\(way), \(level), \(removal)")
        }
    }

    @Test func `one flush covers all that waits`() async throws {
        try await Self.withQueue(.committed) { fixture, log in
            fixture.server.script { path, _ in
                log.arrived(path)
                return .ok
            }
            for number in 0..<60 {
                try await Self.enqueue(
                    "\(number)", key: "key \(number % 7)", .committed, fixture.dal)
            }
            let before = log.syncs
            let report = try await fixture.queue.deliverNow()
            #expect(report.delivered == 60)
            #expect(log.early == [])
            #expect(log.syncs == before + 1)
        }
    }

    @Test func `a round that sends nothing does not flush`() async throws {
        try await Self.withQueue(.committed) { fixture, log in
            let before = log.syncs
            _ = try await fixture.queue.deliverNow()
            #expect(log.syncs == before)
        }
    }
}
#endif
