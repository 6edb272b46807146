import SkiathosStore

extension RootWriter {
    /// Syncs, and takes the time of it.
    func measuredSync() throws {
        guard let metrics else { return try store.writer.sync() }
        let start = ContinuousClock.now
        defer { metrics.synced(since: start) }
        try store.writer.sync()
    }
}
