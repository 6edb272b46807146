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
    case cutMain, cutWAL, foreignWrite, overwrittenMain, restoredBackup
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
            try Self.foreign(path) { try $0.execute(sql: "UPDATE item SET text = text || '!'") }
        case .overwrittenMain:
            // As `cp` does with a copy of another time: the mark in its header is another one.
            let descriptor = open(path, O_RDWR)
            guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
            defer { close(descriptor) }
            var mark: UInt8 = 0
            guard pread(descriptor, &mark, 1, 61) == 1 else { throw CocoaError(.fileReadUnknown) }
            mark ^= 1
            guard pwrite(descriptor, &mark, 1, 61) == 1 else { throw CocoaError(.fileWriteUnknown) }
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

    static func foreign(_ path: String, _ body: (Database) throws -> Void) throws {
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

    @Test(arguments: ["", "-wal", "-shm", ".lock"])
    func `a durable write is not acknowledged if a file is taken away during its sync`(
        _ suffix: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        var configuration = Skiathos.Configuration()
        configuration.errorHandler = { _ in }
        let dal = try await DataAccessLayer.open(
            .sqlite(volume.path), entities: Item.self, configuration: configuration)
        let ledger = Ledger(seed: 1, isLight: true)
        _ = try await dal.write(acknowledging: .durable) { try ledger.write(in: $0) }
        let file = volume.path + suffix
        volume.hook { operation, files in
            if operation == .sync, files == .wal { unlink(file) }
        }
        let error = await #expect(throws: StoreError.self) {
            _ = try await dal.write(acknowledging: .durable) { try ledger.write(in: $0) }
        }
        #expect(error?.code == .interference)
        await #expect(throws: StoreError.self) { try await dal.close() }
    }

    @Test(arguments: ["PASSIVE", "TRUNCATE"])
    func `a checkpoint that another program makes between two commits is no interference`(
        _ mode: String
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("store.sqlite")
        let dal = try await DataAccessLayer.open(.sqlite(path), entities: Item.self)
        let ledger = Ledger(seed: 1, isLight: true)
        for _ in 0..<3 {
            _ = try await dal.write(acknowledging: .durable) { try ledger.write(in: $0) }
        }
        try Interference.foreign(path) { database in
            // The writer's read holds it up at first. The second one finds nothing to do.
            for _ in 0..<2 {
                while let row = try Row.fetchOne(
                    database, sql: "PRAGMA wal_checkpoint(\(mode))"),
                    row["busy"] == 1 || row["log"] as Int != row["checkpointed"] as Int
                {}
            }
        }
        for level in Acknowledgement.allCases {
            _ = try await dal.write(acknowledging: level) { try ledger.write(in: $0) }
        }
        let count = try await dal.read { try Item.count(in: $0) }
        try await dal.close()
        let reopened = try await DataAccessLayer.open(.sqlite(path), entities: Item.self)
        #expect(try await reopened.read { try Item.count(in: $0) } == count)
        try await reopened.close()
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
