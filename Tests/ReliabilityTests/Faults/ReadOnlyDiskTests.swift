import ReliabilityKit
import Skiathos
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct ReadOnlyDiskTests {
    @Test(arguments: [false, true])
    func `a closed store on a disk that is mounted read-only is not opened, and the error says why`(
        isReadOnly: Bool
    ) async throws {
        guard let disk = try SmallDisk(size: "4m") else { return }
        defer { disk.unmount() }
        let source = StoreSource.sqlite(disk.path + "/store.sqlite")
        let backup = disk.path + "/backup.sqlite"
        try await withStore(source, entities: Item.self) { dal in
            try await dal.write { context -> Void in
                try Item.create(id: Item.ID(rawValue: "a"), in: context)
            }
            try await dal.backUp(to: backup)
        }
        try disk.makeReadOnly()
        var configuration = Configuration()
        configuration.isReadOnly = isReadOnly
        let error = await disk.refusal(of: source, configuration)
        #expect(error?.code == .notPermitted)
        #expect(error?.message.contains("may not create files in \"\(disk.path)\"") == true)
        guard isReadOnly else { return }
        try await withStore(
            .sqlite(backup), entities: Item.self, configuration: configuration
        ) { dal in
            let count: Int = try await dal.read { try Item.count(in: $0) }
            #expect(count == 1)
        }
    }
}
