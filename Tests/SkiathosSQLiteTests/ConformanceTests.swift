import Foundation
import SkiathosSQLite
import SkiathosStore
import SkiathosTesting
import Testing

struct ConformanceTests {
    @Test func `the file store keeps the contract of stores`() throws {
        let directory = try TemporaryDirectory()
        let suite = StoreConformanceSuite(isPersistent: true) {
            .sqlite(directory.file("\(UUID().uuidString).sqlite"))
        }
        #expect(try suite.run() == suite.rules.count)
    }

    @Test func `the memory store keeps the contract of stores`() throws {
        let suite = StoreConformanceSuite(isPersistent: false) { .inMemory }
        #expect(try suite.run() == suite.rules.count)
    }
}
