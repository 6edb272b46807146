import ReliabilityKit
import TestSupport
import Testing

#if os(Linux)
/// Losses of power while a store is backed up and restored, at every change of a file.
@Suite(.serialized, .generousTimeLimit) struct CopyCutTests {
    @Test(.seeded) func `a loss of power leaves no backup, the whole old one or the whole new one`()
        async throws
    {
        var run = CopyCutRun(seed: Seed.current)
        run.imagesPerMoment = Load.imagesPerMoment
        let result = try await run.run()
        #expect(result.problems.prefix(5) == [])
        // For the record.
        print(
            "\(result.images) images, \(result.imagesMeanwhile) of them meanwhile; \(result.oldCopies) old copies and \(result.newCopies) new ones"
        )
        // Below this load it would have shown nothing.
        #expect(result.imagesMeanwhile >= 30 * Load.imagesPerMoment)
        #expect(result.oldCopies >= 3 * Load.imagesPerMoment)
        #expect(result.newCopies >= 3 * Load.imagesPerMoment)
    }

    @Test(.seeded, arguments: [Volume.Lies.directorySync, .mainSync])
    func `a backup whose sync lies is found`(_ lies: Volume.Lies) async throws {
        var run = CopyCutRun(seed: Seed.current)
        run.lies = lies
        run.imagesPerMoment = 2
        let result = try await run.run()
        #expect(result.problems.contains { $0.contains("the backup is") }, "\(lies)")
    }
}
#endif
