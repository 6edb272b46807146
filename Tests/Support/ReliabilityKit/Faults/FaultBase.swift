import Skiathos
import SkiathosStore
import SkiathosTesting

/// The files of a store that was not closed, so that opening it recovers its WAL.
package struct FaultBase: Sendable {
    private let image: DiskImage
    /// The writes that it holds.
    let numbers: Set<Int>

    /// Writes to a store and takes its files away.
    package init() async throws {
        let living = try TemporaryDirectory()
        let volume = try Volume(living.path)
        let failures = FailureList()
        var attempts = FaultAttempts([])
        let dal = try await FaultRun.open(volume, failures)
        for _ in 0..<6 { await attempts.write(dal, .durable) }
        numbers = try await attempts.numbers(in: dal)
        volume.record(false)
        try await dal.close()
        let disk = Disk(volume)
        disk.advance(to: volume.length)
        image = disk.image(seed: 0)
    }

    func write(to path: String) throws { try image.write(to: path) }
}
