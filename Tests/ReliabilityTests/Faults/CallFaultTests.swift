import ReliabilityKit
import TestSupport
import Testing

#if canImport(Glibc)
/// Calls of the operating system that fail, which SQLite's file systems do not see.
@Suite(
    .serialized, .generousTimeLimit,
    .enabled(if: Load.callFaults > 0, "A sanitizer has to be loaded before all other libraries."))
struct CallFaultTests {
    @Test func `whatever call fails, each error tells the truth and nothing acknowledged is lost`()
        async throws
    {
        let result = try await CallFaultSweep(places: Load.callFaults).run()
        for problem in result.problems.prefix(20) { Issue.record("\(problem)") }
        #expect(result.problems.count == 0)
        // For the record.
        print("\(result.faults) faults, \(result.said.count) different errors, \(result.calls)")
        // Below this load it would have shown nothing.
        #expect(result.faults >= 200)
    }
}
#endif
