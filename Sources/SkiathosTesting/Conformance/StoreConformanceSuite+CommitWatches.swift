import SkiathosStore
import Synchronization

extension StoreConformanceSuite {
    /// A backend that sees no commits of other processes keeps this rule as well.
    var commitWatchChecks: [ConformanceCheck] {
        [
            ConformanceCheck(
                rule: "a watch of a store that is opened for reading only reports commits alone"
            ) {
                let source = try makeSource()
                let writer = try ConformanceStore(source)
                defer { try? writer.store.close() }
                let reader = try ConformanceStore(source, isReadOnly: true)
                defer { try? reader.store.close() }
                let reports = CommitReports()
                // The suite looks itself.
                let watch = reader.store.watchCommits(every: .seconds(3600)) { reports.note($0) }
                guard let watch else { return }
                defer { watch.end() }
                watch.check()
                try requireEqual(reports.take(), 0)
                try writer.insertAuthors("a")
                watch.check()
                try require(reports.take() > 0, "a commit was not reported")
                try requireEqual(try reader.count(reader.author), 1)
                watch.check()
                try requireEqual(reports.take(), 0)
                try writer.write { session in
                    _ = try session.delete(FetchRequest(entity: writer.author))
                }
                watch.end()
                watch.end()
                _ = reports.take()
                watch.check()
                try requireEqual(reports.take(), 0)
            }
        ]
    }
}

/// The commits that a watch has reported.
private final class CommitReports: Sendable {
    private let count = Atomic(0)

    func note(_ event: CommitWatchEvent) {
        if case .committed = event { count.wrappingAdd(1, ordering: .relaxed) }
    }

    func take() -> Int { count.exchange(0, ordering: .relaxed) }
}
