import ReliabilityKit
import Skiathos
import SkiathosStore
import SkiathosTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct FullDiskTests {
    @Test(arguments: Acknowledgement.allCases)
    func `reads go on while the disk is full, and writes resume when it is not`(
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
            // The loss is told once more, to whoever asks for everything to be on the disk.
            let loss = await #expect(throws: StoreError.self) { try await dal.flush() }
            #expect(loss?.code == .diskFull)
            try await dal.flush()
        }
    }
}
