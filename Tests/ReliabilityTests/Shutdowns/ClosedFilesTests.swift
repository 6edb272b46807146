#if os(Linux)
import Foundation
import ReliabilityKit
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Which files a closed store holds while something still refers to it.
@Suite(.generousTimeLimit) struct ClosedFilesTests {
    enum Closing: CaseIterable, Sendable {
        case close, shutDown
    }

    enum Trouble: CaseIterable, Sendable {
        case fullDisk, failingSync
    }

    @Test(arguments: Closing.allCases)
    func `a closed store holds no file of its directory open`(_ closing: Closing) async throws {
        let directory = try TemporaryDirectory()
        let dal = try await DataAccessLayer.open(
            .sqlite(directory.file("store.sqlite")), entities: Item.self)
        try await Self.write(to: dal)
        #expect(try !Self.openFiles(in: directory.path).isEmpty)
        switch closing {
        case .close:
            try await dal.close()
        case .shutDown:
            let report = await dal.shutDown(within: .seconds(600))
            #expect(report.isComplete)
        }
        let files = try Self.openFiles(in: directory.path)
        #expect(files == [])
        withExtendedLifetime(dal) {}
    }

    @Test(arguments: Trouble.allCases)
    func `a store whose closing fails holds no file of its directory open`(
        _ trouble: Trouble
    ) async throws {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        let dal = try await DataAccessLayer.open(.sqlite(volume.path), entities: Item.self)
        try await Self.write(to: dal)
        switch trouble {
        // The main file has no room for the pages of the WAL.
        case .fullDisk: volume.limit(0)
        case .failingSync: volume.fail(Fault(.sync, isForEver: true, result: 1034))
        }
        let report = await dal.shutDown(within: .seconds(600))
        #expect(report.isClosed)
        #expect(report.failure != nil)
        let files = try Self.openFiles(in: directory.path)
        #expect(files == [])
        withExtendedLifetime((dal, volume)) {}
    }

    /// Commits a row that takes more pages than the main file has.
    private static func write(to dal: DataAccessLayer) async throws {
        try await dal.write { context -> Void in
            try Item.create(id: Item.ID(rawValue: "a"), in: context) {
                $0.text = String(repeating: "x", count: 50_000)
            }
        }
        try await dal.flush()
    }

    /// The files in a directory, removed ones too, that this process holds open.
    private static func openFiles(in directory: String) throws -> [String] {
        let manager = FileManager.default
        return try manager.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { name in
            try? manager.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
        }.filter { $0.hasPrefix(directory + "/") }
    }
}
#endif
