import SkiathosStore

extension SQLiteSession {
    /// Runs a closure against one version of the database.
    ///
    /// SQLite chooses the version at the first statement that reads, so one is executed at once:
    /// whatever is committed while the closure gets ready is not seen in part.
    @inline(__always)
    func withSnapshot<R>(_ body: () throws -> R) throws -> R {
        // Inside of a transaction there is one version already.
        if isInTransaction { return try body() }
        try perform("BEGIN DEFERRED")
        do {
            try perform("SELECT 1 FROM sqlite_schema LIMIT 1")
            let result = try body()
            try perform("COMMIT")
            return result
        } catch {
            // The failure of the closure is what counts; a connection that cannot even undo a
            // read says so at its next use.
            try? rollback()
            throw error
        }
    }
}
