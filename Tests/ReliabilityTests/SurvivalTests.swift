import ReliabilityKit
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// The table of `Acknowledgements.md`, a test for each column with every row.
@Suite(.generousTimeLimit) struct SurvivalTests {
    /// Merged writes are committed only when a caller needs it.
    private static let patient: Configuration = {
        var configuration = Configuration()
        configuration.commitInterval = .seconds(3600)
        return configuration
    }()

    @Test(arguments: Acknowledgement.allCases)
    func `later reads see an acknowledged write`(_ level: Acknowledgement) async throws {
        try await withStore(.inMemory, entities: Item.self, configuration: Self.patient) { dal in
            try await Self.write(dal, level)
            let count: Int = try await dal.read { try Item.count(in: $0) }
            #expect(count == 1)
        }
        let directory = try TemporaryDirectory()
        try await withStore(
            .sqlite(directory.file("store.sqlite")), entities: Item.self,
            configuration: Self.patient
        ) { dal in
            try await Self.write(dal, level)
            let count: Int = try await dal.read { try Item.count(in: $0) }
            #expect(count == 1)
        }
    }

    @Test(arguments: Acknowledgement.allCases)
    func `a committed write survives the end of the process`(
        _ level: Acknowledgement
    ) async throws {
        try await Self.withVolume { dal, volume in
            try await Self.write(dal, level)
            #expect(Self.rows(in: Self.disk(volume).imageAfterKill) == (level == .merged ? 0 : 1))
            try await dal.flush(to: .committed)
            #expect(Self.rows(in: Self.disk(volume).imageAfterKill) == 1)
        }
    }

    @Test(arguments: Acknowledgement.allCases)
    func `a synced write survives the loss of power`(
        _ level: Acknowledgement
    ) async throws {
        try await Self.withVolume { dal, volume in
            try await Self.write(dal, level)
            #expect(
                Self.rows(in: Self.disk(volume).imageAfterPowerCut) == (level == .durable ? 1 : 0))
            try await dal.flush()
            #expect(Self.rows(in: Self.disk(volume).imageAfterPowerCut) == 1)
        }
    }

    @Test(arguments: Acknowledgement.allCases)
    func `a write survives both once the store was closed`(_ level: Acknowledgement) async throws {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        let dal = try await DataAccessLayer.open(
            .sqlite(volume.path), entities: Item.self, configuration: Self.patient)
        try await Self.write(dal, level)
        try await dal.close()
        #expect(Self.rows(in: Self.disk(volume).imageAfterKill) == 1)
        #expect(Self.rows(in: Self.disk(volume).imageAfterPowerCut) == 1)
    }

    private static func withVolume(
        _ body: @Sendable (DataAccessLayer, Volume) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        try await withStore(
            .sqlite(volume.path), entities: Item.self, configuration: patient
        ) { dal in
            try await body(dal, volume)
        }
    }

    private static func write(_ dal: DataAccessLayer, _ level: Acknowledgement) async throws {
        try await dal.write(acknowledging: level) {
            try Item.create(id: Item.ID(rawValue: "written"), in: $0)
        }
    }

    /// The current contents of the disk, while no call is running.
    private static func disk(_ volume: Volume) -> Disk {
        let disk = Disk(volume)
        disk.advance(to: volume.length)
        return disk
    }

    private static func rows(in image: DiskImage) -> Int? {
        let (code, text) = image.query("SELECT count(*) FROM item")
        return code == 0 ? Int(text.split(separator: "\n").first ?? "") : nil
    }
}
