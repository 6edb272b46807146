import SkiathosStore

extension SQLiteSession: StoreWriteSession {
    func begin() throws {
        try requireWritable()
        try beginWriting()
        patience?.succeeded()
        savepointDepth = 0
        deletion = .possible
        do {
            try wal?.requireSoleWriter()
            if wal?.needsMark == true { try renewMark() }
        } catch {
            // Reads must see the changes of the other program.
            version?.committing {}
            try rollback()
            throw error
        }
    }

    /// Has the file differ from what the last checkpoint has left, also in its header.
    private func renewMark() throws {
        let present = try integer(SQLText("PRAGMA user_version"), entity: nil)
        try perform(FileFormat.UserVersion(number: Int32(truncatingIfNeeded: present)).next.sql)
    }

    func commit() throws {
        try requireWritable()
        if let version, let wal {
            try wal.checkBeforeCommit()
            keepRead(version)
            do {
                try version.committing { try wal.committing { try perform(.commit) } }
            } catch {
                keptRead.end()
                throw error
            }
        } else {
            try perform(.commit)
        }
        savepointDepth = 0
        wal?.transactionEnded()
    }

    var checkpointNeed: CheckpointNeed { wal?.checkpointNeed ?? .none }

    var isWALLong: Bool { wal?.isLong ?? false }

    func checkpoint() throws {
        keptRead.end()
        try wal?.checkpoint(version, patience, shared.errors)
    }

    func rollback() throws {
        savepointDepth = 0
        keptRead.end()
        defer { wal?.returnReserve() }
        // SQLite rolls the transaction back by itself after some failures.
        guard isInTransaction else { return }
        while isInTransaction {
            do {
                try perform(.rollback)
            } catch let error as StoreError where error.code == .interrupted {
                // The interruption was meant for a statement that has already ended.
                continue
            }
        }
        wal?.transactionEnded()
    }

    func openSavepoint() throws {
        try requireWritable()
        if savepointDepth == 0 {
            try perform(.openSavepoint)
        } else {
            try perform("SAVEPOINT \(Self.savepoint(savepointDepth))")
        }
        savepointDepth += 1
    }

    func releaseSavepoint() throws {
        if savepointDepth == 1 {
            try perform(.releaseSavepoint)
        } else {
            try perform("RELEASE \(Self.savepoint(savepointDepth - 1))")
        }
        savepointDepth -= 1
    }

    func rollbackSavepoint() throws {
        savepointDepth = max(0, savepointDepth - 1)
        // Savepoints end with a transaction that SQLite has rolled back by itself.
        guard isInTransaction else { return }
        let savepoint = Self.savepoint(savepointDepth)
        try perform("ROLLBACK TO \(savepoint)")
        try perform("RELEASE \(savepoint)")
    }

    /// Throws on a read-only connection.
    func requireWritable() throws {
        guard isReadOnly else { return }
        throw StoreError(
            .readOnly,
            "The store was opened for reading only. Open it without the read-only option to change it."
        )
    }

    private static func savepoint(_ depth: Int) -> String { "\"level_\(depth)\"" }
}
