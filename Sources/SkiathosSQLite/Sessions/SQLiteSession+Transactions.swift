import SkiathosStore

extension SQLiteSession: StoreWriteSession {
    func begin() throws {
        try requireWritable()
        // A transaction that began by reading could fail at once when it turns to writing.
        try perform("BEGIN IMMEDIATE")
        savepointDepth = 0
    }

    func commit() throws {
        try requireWritable()
        try perform("COMMIT")
        savepointDepth = 0
        version?.advance()
        log?.checkpointIfDue(texts.errors) { version?.releaseIdleSnapshots() }
    }

    func rollback() throws {
        savepointDepth = 0
        // SQLite undoes the transaction by itself after some failures.
        if isInTransaction { try perform("ROLLBACK") }
    }

    func openSavepoint() throws {
        try requireWritable()
        try perform("SAVEPOINT \(Self.savepoint(savepointDepth))")
        savepointDepth += 1
    }

    func releaseSavepoint() throws {
        try perform("RELEASE \(Self.savepoint(savepointDepth - 1))")
        savepointDepth -= 1
    }

    func rollbackSavepoint() throws {
        savepointDepth = max(0, savepointDepth - 1)
        // Savepoints go with a transaction that SQLite has undone by itself.
        guard isInTransaction else { return }
        let savepoint = Self.savepoint(savepointDepth)
        try perform("ROLLBACK TO \(savepoint)")
        try perform("RELEASE \(savepoint)")
    }

    func sync() throws { try log?.sync(texts.errors) }

    /// Throws on a connection that must not change anything.
    func requireWritable() throws {
        guard isReadOnly else { return }
        throw StoreError(
            .readOnly,
            "The store was opened for reading only. Open it without the read-only option to change it."
        )
    }

    private static func savepoint(_ depth: Int) -> String { "\"level_\(depth)\"" }
}
