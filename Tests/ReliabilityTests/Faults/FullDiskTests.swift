import Foundation
import ReliabilityKit
import Skiathos
import SkiathosPlatformLibC
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

@testable import SkiathosSQLite

@Suite(.generousTimeLimit) struct FullDiskTests {
    @Test(arguments: Acknowledgement.allCases)
    func `reads continue while the disk is full, and writes resume when it is not`(
        _ level: Acknowledgement
    ) async throws {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        volume.record(false)
        var configuration = Configuration()
        configuration.checkpointSize = 40_000
        configuration.errorHandler = { _ in }
        try await withStore(
            .sqlite(volume.path), entities: Item.self, configuration: configuration
        ) { dal in
            let write: @Sendable (Int) async throws -> Void = { number in
                try await dal.write(acknowledging: level) { context in
                    try Item.create(id: Item.ID(rawValue: "\(number)"), in: context) {
                        $0.text = String(repeating: "x", count: 3_000)
                    }
                }
                // What is only merged finds out later that there is no room.
                if level == .merged { try await dal.flush(to: .committed) }
            }
            var count = 0
            for _ in 0..<20 {
                volume.limit(0)
                var isFull = false
                for _ in 0..<100 where !isFull {
                    do {
                        try await write(count)
                        count += 1
                    } catch let error as StoreError {
                        #expect(error.code == .diskFull)
                        #expect(error.outcome == .notCommitted)
                        isFull = true
                    }
                    let stored: Int = try await dal.read { try Item.count(in: $0) }
                    #expect(stored == count)
                }
                #expect(isFull)
                volume.limit(nil)
                try await write(count)
                count += 1
            }
            try await dal.flush()
        }
    }

    @Test func `a write without changes fails if what it has seen could not be committed`()
        async throws
    {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        volume.record(false)
        var configuration = Configuration()
        configuration.commitInterval = .seconds(3600)
        configuration.errorHandler = { _ in }
        try await withStore(
            .sqlite(volume.path), entities: Item.self, configuration: configuration
        ) { dal in
            volume.limit(0)
            try await dal.write(acknowledging: .merged) {
                try Item.create(id: Item.ID(rawValue: "lost"), in: $0)
            }
            let error = await #expect(throws: DataAccessError.self) {
                let count = try await dal.write { try Item.count(in: $0) }
                Issue.record("It has seen \(count).")
            }
            #expect(error?.code == .transactionLost)
            volume.limit(nil)
            // The loss is reported once more, to the caller that asks for durability.
            let loss = await #expect(throws: StoreError.self) { try await dal.flush() }
            #expect(loss?.code == .diskFull)
            try await dal.flush()
        }
    }

    /// A store on a volume that has room for a little more than is there, filled to the last byte.
    private func withFullStore(
        checkpointSize: Int = 40_000,
        _ body: @escaping @Sendable (DataAccessLayer, Volume, _ count: Int) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        volume.record(false)
        var configuration = Configuration()
        configuration.checkpointSize = checkpointSize
        configuration.errorHandler = { _ in }
        try await withStore(
            Self.patientStore(volume.path), entities: Item.self, configuration: configuration
        ) { dal in
            try await dal.write { try Item.create(id: Item.ID(rawValue: "first"), in: $0) }
            volume.limit(try Self.size(of: directory.path) + 400_000)
            let count = try await fill(dal, from: 0)
            try #require(count > 20)
            try await body(dal, volume, count)
            volume.limit(nil)
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        #expect(left.sorted() == ["store.sqlite", "store.sqlite.lock"])
    }

    /// A store whose checkpoints wait for reads as long as a busy machine takes to end them.
    ///
    /// Those of users wait 10 ms. A read that takes longer keeps the WAL from restarting, and the
    /// next write on a full disk is refused though there is room in the main file.
    private static func patientStore(_ path: String) -> StoreSource {
        StoreSource(description: "SQLite file \"\(path)\"") { schema, options in
            var opener = StoreOpener(schema: schema, options: options, file: path)
            opener.renewalWait = EpochWait { _ in
                usleep(500)
                return true
            }
            return try opener.open()
        }
    }

    /// How many bytes the files of a directory have, without those that SQLite maps into memory.
    private static func size(of directory: String) throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
        return try names.reduce(0) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(
                atPath: directory + "/" + name)
            return sum + ((attributes[.size] as? Int) ?? 0)
        }
    }

    /// Creates rows until the disk is full, and returns the number of the next.
    ///
    /// A write that fails makes a checkpoint, and the WAL restarts. So the disk is full when the next
    /// attempt fails, too.
    private func fill(_ dal: DataAccessLayer, from start: Int) async throws -> Int {
        var hasFailed = false
        var next = start
        while next < 100_000 {
            let number = next
            do {
                try await dal.write { try Self.create(number, in: $0) }
                next += 1
                hasFailed = false
            } catch let error as StoreError where error.code == .diskFull {
                if hasFailed { return number }
                hasFailed = true
            }
        }
        throw StoreError(.backend, "The disk is never full.")
    }

    private static func create(_ number: Int, in context: WriteContext) throws {
        try Item.create(id: Item.ID(rawValue: "\(number)"), in: context) {
            $0.sequence = number
            $0.text = String(repeating: "x", count: 3_000)
        }
    }

    private static func delete(_ number: Int, in context: WriteContext) throws {
        try #require(try Item.find(Item.ID(rawValue: "\(number)"), in: context)).delete()
    }

    @Test(arguments: Acknowledgement.allCases)
    func `rows are deleted one by one while the disk is full, and others take their room`(
        _ level: Acknowledgement
    ) async throws {
        try await withFullStore { dal, _, count in
            for number in 0..<count {
                try await dal.write(acknowledging: level) { try Self.delete(number, in: $0) }
                if level == .merged { try await dal.flush(to: .committed) }
                let stored: Int = try await dal.read { try Item.count(in: $0) }
                #expect(stored == count - number)
            }
            let next = try await fill(dal, from: count)
            #expect(next - count > count / 2, "Only \(next - count) rows had room after that.")
        }
    }

    @Test func `a condition deletes rows while the disk is full`() async throws {
        try await withFullStore { dal, _, count in
            let deleted = try await dal.write { context in
                try Item.deleteAll(where: { $0.sequence < count / 2 }, in: context)
            }
            #expect(deleted >= count / 2)
            try await dal.write { try Self.create(count, in: $0) }
            try await dal.reset()
            try await dal.write { try Self.create(count, in: $0) }
        }
    }

    @Test func `writes that fail leave the reserve to deletions`() async throws {
        try await withFullStore { dal, _, count in
            var failures = 0
            var next = count
            for round in 1...10 {
                for attempt in 0..<50 {
                    let (first, mixes) = (next, attempt.isMultiple(of: 2))
                    next += 5
                    do {
                        try await dal.write { context in
                            // A deletion that is not alone must not take it, either.
                            if mixes {
                                try Item.deleteAll(where: { $0.sequence == round }, in: context)
                                try Item.create(id: Item.ID(rawValue: "m\(first)"), in: context) {
                                    $0.sequence = round
                                }
                            }
                            for number in first..<(first + 5) {
                                try Self.create(number, in: context)
                            }
                        }
                    } catch let error as StoreError where error.code == .diskFull {
                        failures += 1
                    }
                }
                let deleted = try await dal.write { context in
                    try Item.deleteAll(where: { $0.sequence == round }, in: context)
                }
                #expect(deleted == 1)
            }
            #expect(failures >= 100, "Only \(failures) writes have failed.")
        }
    }

    @Test func `deletions succeed while the disk stays full through many cycles`() async throws {
        try await withFullStore { dal, _, count in
            var (first, next) = (0, count)
            for _ in 0..<60 {
                for _ in 0..<5 {
                    let number = first
                    try await dal.write { try Self.delete(number, in: $0) }
                    first += 1
                }
                next = try await fill(dal, from: next)
                let stored: Int = try await dal.read { try Item.count(in: $0) }
                #expect(stored == next - first + 1)
            }
        }
    }

    @Test func `a store is opened on a full disk, without a reserve`() async throws {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        volume.record(false)
        try await withStore(.sqlite(volume.path), entities: Item.self) { dal in
            _ = try await dal.write { try Self.create(1, in: $0) }
        }
        // Room for a WAL, but not for a reserve.
        volume.limit(try Self.size(of: directory.path) + 30_000)
        try await withStore(.sqlite(volume.path), entities: Item.self) { dal in
            #expect(!FileManager.default.fileExists(atPath: volume.path + "-reserve"))
            try await dal.write { try Self.delete(1, in: $0) }
            volume.limit(nil)
        }
    }

    @Test(arguments: [false, true])
    func `a store on a full disk is not opened, and the code is diskFull`(
        isReadOnly: Bool
    ) async throws {
        guard let disk = try SmallDisk(size: "2m") else { return }
        defer { disk.unmount() }
        let source = StoreSource.sqlite(disk.path + "/store.sqlite")
        try await withStore(source, entities: Item.self) { dal in
            _ = try await dal.write { try Self.create(1, in: $0) }
        }
        try disk.fill("ballast")
        var configuration = Configuration()
        configuration.isReadOnly = isReadOnly
        let error = await disk.refusal(of: source, configuration)
        #expect(error?.code == .diskFull)
        try FileManager.default.removeItem(atPath: disk.path + "/ballast")
        try await withStore(
            source, entities: Item.self, configuration: configuration
        ) { dal in
            let count: Int = try await dal.read { try Item.count(in: $0) }
            #expect(count == 1)
        }
    }

    @Test(arguments: ["2m", "6m"])
    func `rows are deleted on a small disk that is full, however often writes have failed`(
        size: String
    ) async throws {
        guard let disk = try SmallDisk(size: size) else { return }
        defer { disk.unmount() }
        var configuration = Configuration()
        configuration.errorHandler = { _ in }
        try await withStore(
            .sqlite(disk.path + "/store.sqlite"), entities: Item.self,
            configuration: configuration
        ) { dal in
            var (first, next) = (0, 0)
            for _ in 0..<3 {
                // However often it is tried, nothing of the reserve is left to others.
                for _ in 0..<20 { next = try await fill(dal, from: next) }
                for number in first..<(first + 10) {
                    try await dal.write { try Self.delete(number, in: $0) }
                }
                // Each of these takes less than the reserve, which is small on a small disk.
                let high = (first + next) / 2
                for low in stride(from: first + 10, to: high, by: 8) {
                    let end = min(high, low + 8)
                    try await dal.write { context in
                        try Item.deleteAll(
                            where: { $0.sequence >= low && $0.sequence < end }, in: context)
                    }
                }
                first = high
                let stored: Int = try await dal.read { try Item.count(in: $0) }
                #expect(stored == next - first)
            }
        }
    }
}
