import MetricsTestKit
import Skiathos
import Testing

@testable import SkiathosCore

struct MetricsTableIsComplete {
    @Test func `the table lists each metric that a store makes once, with its kind`() throws {
        let page = try PackageDirectory.text(of: "Sources/Skiathos/Skiathos.docc/Monitoring.md")
        let listed = page.matches(of: /(?m)^\| `(skiathos[\w.]+)` \| (\w+) \|/)
            .map { "\($0.1) \($0.2)" }
        let metrics = TestMetrics()
        _ = try #require(StoreMetrics(metrics, store: "main"))
        let made =
            metrics.counters.map { $0.label + " counter" }
            + metrics.meters.map { $0.label + " meter" }
            + metrics.recorders.map { $0.label + " recorder" }
            + metrics.timers.map { $0.label + " timer" }
        #expect(!made.isEmpty)
        #expect(listed.sorted() == made.sorted())
    }
}
