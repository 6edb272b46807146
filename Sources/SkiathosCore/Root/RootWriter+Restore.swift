import SkiathosStore

extension RootWriter {
    /// Replaces every row by those of a backup, in a transaction of its own; the caller has the
    /// permit.
    ///
    /// IDs that were allocated before stay allocated, and so do those that the backup has
    /// allocated.
    func restore(
        from path: String, _ interruption: Interruption?, _ progress: (StoreProgress) throws -> Void
    ) throws {
        try requireWritable(.durable)
        try commits.commitAlone { session in
            let highest = try session.restore(from: path) { report in
                try interruption?.check()
                try stop.check()
                try progress(report)
            }
            try session.checkReferences()
            try interruption?.settle()
            return highest
        }
    }
}
