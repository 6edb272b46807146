import Foundation
import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

/// Putting a backup in the place of a store that is not open.
@Suite(.generousTimeLimit) struct ReplacementTests {
    /// A store that was killed with rows in its WAL, and a backup with fewer rows.
    private struct Scene {
        let life: Life
        let picture: Life.Picture
        let backup: String

        init() async throws {
            life = try Life(step: 1)
            try await life.run(rows: 30)
            picture = try #require(life.pictures.last { $0.walSize > 0 })
            backup = try #require(life.copies.first { $0.hasSuffix("/backup") })
        }

        /// The store as the backup has it.
        func restored(_ picture: Life.Picture) -> Life.Picture {
            Life.Picture(path: picture.path, least: 16, most: 16)
        }
    }

    @Test func `a backup takes the place of a store whole, and the earlier files stay together`()
        async throws
    {
        let scene = try await Scene()
        let trial = try scene.life.print(scene.picture)
        let reports = Lock<[StoreProgress]>([])
        let earlier = try await DataAccessLayer.replaceStore(
            at: .sqlite(trial.path), with: scene.backup
        ) { report in reports.withLock { $0.append(report) } }
        let directory = try #require(earlier)
        #expect(reports.withLock { $0.last?.fraction } == 1)
        let problem = await scene.restored(trial).problem()
        #expect(problem == nil)
        let old = Life.Picture(
            path: "\(directory)/\(Volume.storeName)", least: trial.least, most: trial.most)
        let oldProblem = await old.problem()
        #expect(oldProblem == nil)
    }

    @Test func `a backup takes the place of a store that cannot be opened`() async throws {
        let scene = try await Scene()
        let copy = try #require(scene.life.copies.first { !$0.hasSuffix("/backup") })
        for hasMain in [true, false] {
            let trial = try scene.life.print(scene.picture)
            if hasMain {
                try trial.overwriteMain(with: copy)
            } else {
                try FileManager.default.removeItem(atPath: trial.path)
            }
            #expect(await trial.problem() != nil)
            try await DataAccessLayer.replaceStore(at: .sqlite(trial.path), with: scene.backup)
            let problem = await scene.restored(trial).problem()
            #expect(problem == nil)
        }
    }

    /// The files are moved in this order.
    @Test(arguments: 0...4)
    func `the next opening ends a replacement that was cut off`(_ moved: Int) async throws {
        let scene = try await Scene()
        let whole = try Self.decided(scene)
        try await Self.openAndClose(whole.path)
        let directory = try Self.earlierDirectory(of: whole)

        let trial = try Self.decided(scene)
        let error = await #expect(throws: StoreError.self) {
            try await Self.openAndClose(trial.path, isReadOnly: true)
        }
        #expect(error?.code == .readOnly)
        let files = FileManager.default
        let target = (trial.path as NSString).deletingLastPathComponent + "/" + directory
        if moved > 0 {
            try files.createDirectory(atPath: target, withIntermediateDirectories: false)
        }
        for suffix in ["", "-wal", "-shm", "-witness"].prefix(moved) {
            try files.moveItem(
                atPath: trial.path + suffix, toPath: "\(target)/\(Volume.storeName)\(suffix)")
        }
        let problem = await scene.restored(trial).problem()
        #expect(problem == nil)
        #expect(try Self.earlierDirectory(of: trial) == directory)
        let old = Life.Picture(
            path: "\(target)/\(Volume.storeName)", least: trial.least, most: trial.most)
        let oldProblem = await old.problem()
        #expect(oldProblem == nil)
    }

    /// A killed store beside which a replacement was decided.
    private static func decided(_ scene: Scene) throws -> Life.Picture {
        let trial = try scene.life.print(scene.picture)
        try FileManager.default.copyItem(
            atPath: scene.backup, toPath: trial.path + "-replacement")
        return trial
    }

    private static func earlierDirectory(of picture: Life.Picture) throws -> String {
        let directory = (picture.path as NSString).deletingLastPathComponent
        let names = try FileManager.default.contentsOfDirectory(atPath: directory)
            .filter { $0.contains(".earlier-") }
        try #require(names.count == 1)
        return names[0]
    }

    private static func openAndClose(_ path: String, isReadOnly: Bool = false) async throws {
        var configuration = Configuration()
        configuration.isReadOnly = isReadOnly
        let dal = try await DataAccessLayer.open(
            .sqlite(path), entities: Item.self, configuration: configuration)
        try await dal.close()
    }

    @Test func `a refused replacement leaves the store as it was`() async throws {
        let scene = try await Scene()
        let trial = try scene.life.print(scene.picture)
        func code(with backup: String) async -> StoreError.Code? {
            let error = await #expect(throws: StoreError.self) {
                try await DataAccessLayer.replaceStore(at: .sqlite(trial.path), with: backup)
            }
            return error?.code
        }
        #expect(await code(with: trial.path) == .invalidPath)
        #expect(await code(with: scene.picture.path) == .storeInUse)
        #expect(await code(with: trial.path + ".none") == .invalidPath)
        let damaged = scene.backup + ".damaged"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: scene.backup))
        bytes.replaceSubrange(5_000..<9_000, with: Data(repeating: 0x55, count: 4_000))
        try bytes.write(to: URL(fileURLWithPath: damaged))
        #expect(await code(with: damaged) == .damaged)
        let text = scene.backup + ".text"
        try Data("not a database, whatever its name says".utf8).write(
            to: URL(fileURLWithPath: text))
        #expect(await code(with: text) == .notADatabase)
        await #expect(throws: CancellationError.self) {
            try await DataAccessLayer.replaceStore(
                at: .sqlite(trial.path), with: scene.backup
            ) { _ in throw CancellationError() }
        }
        #expect(await trial.problem() == nil)
        let dal = try await DataAccessLayer.open(.sqlite(trial.path), entities: Item.self)
        #expect(await code(with: scene.backup) == .storeInUse)
        try await dal.close()
        let error = await #expect(throws: StoreError.self) {
            try await DataAccessLayer.replaceStore(at: .inMemory, with: scene.backup)
        }
        #expect(error?.code == .unsupportedBackend)
    }
}
