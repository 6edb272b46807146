import Foundation
import GRDB
import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

/// What another program may do to the files of an open store.
enum Interference: String, CaseIterable, CustomTestStringConvertible {
    case removedMain, removedWAL, removedIndex, replacedMain, replacedWAL, replacedIndex, movedAway
    case cutMain, cutWAL, foreignWrite, foreignCheckpoint, restoredBackup
    case removedLock, replacedLock, renamedDirectory

    var testDescription: String { rawValue }

    func happen(to path: String) throws {
        let files = FileManager.default
        switch self {
        case .removedMain: try files.removeItem(atPath: path)
        case .removedWAL: try files.removeItem(atPath: path + "-wal")
        case .removedIndex: try files.removeItem(atPath: path + "-shm")
        case .replacedMain: try replace(path)
        case .replacedWAL: try replace(path + "-wal")
        case .replacedIndex: try replace(path + "-shm")
        case .movedAway:
            for suffix in ["", "-wal", "-shm"] {
                try files.moveItem(atPath: path + suffix, toPath: path + ".moved" + suffix)
            }
        case .removedLock: try files.removeItem(atPath: path + ".lock")
        case .replacedLock: try replace(path + ".lock")
        case .renamedDirectory:
            let directory = (path as NSString).deletingLastPathComponent
            try files.moveItem(atPath: directory, toPath: directory + ".moved")
        case .cutMain: try cut(path)
        case .cutWAL: try cut(path + "-wal")
        case .foreignWrite:
            try foreign(path) { try $0.execute(sql: "UPDATE item SET text = text || '!'") }
        case .foreignCheckpoint:
            // Cannot complete during a read; it truncates the WAL or changes nothing.
            try foreign(path) {
                while try Row.fetchOne($0, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?["busy"] == 1 {}
            }
        case .restoredBackup:
            // As a careless script does: another file is put in place of all three.
            try files.removeItem(atPath: path + "-wal")
            try files.removeItem(atPath: path + "-shm")
            try replace(path)
        }
    }

    private func replace(_ path: String) throws {
        let copy = path + ".copy"
        // Without opening the file, which would drop this process's locks.
        try Data("another file".utf8).write(to: URL(fileURLWithPath: copy))
        guard rename(copy, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private func cut(_ path: String) throws {
        guard truncate(path, 100) == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private func foreign(_ path: String, _ body: (Database) throws -> Void) throws {
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(5)
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.inDatabase(body)
        try queue.close()
    }
}

@Suite(.generousTimeLimit) struct InterferenceTests {
    @Test(arguments: Interference.allCases)
    func `nothing counts as durable after another program has touched the files`(
        _ interference: Interference
    ) async throws {
        for round in 0..<10 {
            let directory = try TemporaryDirectory()
            let path = directory.file("store.sqlite")
            var configuration = Skiathos.Configuration()
            configuration.errorHandler = { _ in }
            let dal = try await DataAccessLayer.open(
                .sqlite(path), entities: Item.self, configuration: configuration)
            let ledger = Ledger(seed: UInt64(round))
            for _ in 0..<10 + round {
                _ = try await dal.write(acknowledging: .durable) { try ledger.write(in: $0) }
            }
            // The rest runs beside the interference.
            let hasHappened = Flag()
            let late = await withTaskGroup(of: Int.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        var late = 0
                        for _ in 0..<200 {
                            let isLate = hasHappened.isSet
                            do {
                                _ = try await dal.write(acknowledging: .durable) {
                                    try ledger.write(in: $0)
                                }
                                if isLate { late += 1 }
                            } catch {
                                if isLate { break }
                            }
                        }
                        return late
                    }
                }
                #expect(throws: Never.self) { try interference.happen(to: path) }
                hasHappened.raise()
                return await group.reduce(0, +)
            }
            #expect(late == 0, "round \(round)")
            for level in Acknowledgement.allCases {
                let error = await #expect(throws: StoreError.self, "round \(round)") {
                    _ = try await dal.write(acknowledging: level) { try ledger.write(in: $0) }
                }
                #expect(error?.code == .interference, "round \(round)")
            }
            await #expect(throws: StoreError.self) { try await dal.close() }
        }
    }

    /// Nothing syncs here, so that only the looks of commits can find it.
    @Test(arguments: Interference.allCases)
    func `committed writes are refused soon after the files were touched, and for good`(
        _ interference: Interference
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("store.sqlite")
        var configuration = Skiathos.Configuration()
        let failures = Lock<[BackgroundFailure]>([])
        configuration.errorHandler = { failure in failures.withLock { $0.append(failure) } }
        // No checkpoint is due in this test.
        configuration.checkpointSize = 1 << 30
        let dal = try await DataAccessLayer.open(
            .sqlite(path), entities: Item.self, configuration: configuration)
        let ledger = Ledger(seed: 1, isLight: true)
        for _ in 0..<10 { _ = try await dal.write { try ledger.write(in: $0) } }
        try interference.happen(to: path)
        var refusal: (any Error)?
        // Some are acknowledged until the next look is due; the limit of time ends a test without one.
        while refusal == nil {
            do {
                _ = try await dal.write { try ledger.write(in: $0) }
            } catch {
                refusal = error
            }
        }
        #expect((refusal as? StoreError)?.code == .interference)
        for level in Acknowledgement.allCases {
            let error = await #expect(throws: StoreError.self) {
                _ = try await dal.write(acknowledging: level) { try ledger.write(in: $0) }
            }
            #expect(error?.code == .interference)
        }
        await #expect(throws: StoreError.self) { try await dal.close() }
        try? FileManager.default.removeItem(
            atPath: (path as NSString).deletingLastPathComponent + ".moved")
    }

    /// Without another write: the last commits of a burst are looked after, too.
    @Test(arguments: [Interference.removedWAL, .movedAway, .removedLock, .cutWAL])
    func `the error handler receives the interference when no write follows`(
        _ interference: Interference
    )
        async throws
    {
        let directory = try TemporaryDirectory()
        let path = directory.file("store.sqlite")
        let (reports, report) = AsyncStream<BackgroundFailure>.makeStream()
        var configuration = Skiathos.Configuration()
        configuration.errorHandler = { report.yield($0) }
        let dal = try await DataAccessLayer.open(
            .sqlite(path), entities: Item.self, configuration: configuration)
        let ledger = Ledger(seed: 1, isLight: true)
        // A look that is scheduled before the files are touched finds nothing; the next write has one
        // more made.
        _ = try await dal.write { try ledger.write(in: $0) }
        try interference.happen(to: path)
        _ = try? await dal.write { try ledger.write(in: $0) }
        let first = await reports.first { _ in true }
        #expect(first?.operation == .fileCheck)
        #expect((first?.error as? StoreError)?.code == .interference)
        await #expect(throws: StoreError.self) { try await dal.close() }
    }
}

/// Something that has happened, seen by every thread.
private final class Flag: Sendable {
    private let value = Atomic<Bool>(false)

    var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }
    func raise() { value.store(true, ordering: .sequentiallyConsistent) }
}
