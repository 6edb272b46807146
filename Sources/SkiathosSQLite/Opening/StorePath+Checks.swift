import SkiathosStore

extension StorePath {
    /// The files found at the path before anything was opened.
    struct Findings {
        /// Whether there is a file with content.
        var hasContent: Bool
        /// Whether there is a WAL that is not checkpointed.
        var hasWAL: Bool
        /// Whether there is a rollback journal that SQLite would roll back.
        var hasJournal: Bool
    }

    /// Checks the file and its directory without opening anything.
    ///
    /// - Parameter allowsLinks: Whether the file may have other names, since it is only replaced or
    ///   copied from.
    /// - Throws: ``StoreError`` with the reason why the store cannot be kept here.
    func check(forWriting: Bool, allowsLinks: Bool = false) throws -> Findings {
        do {
            let main = try SystemCalls.status(of: file)
            let wal = try SystemCalls.status(of: walFile)
            try checkKind(of: main, allowsLinks: allowsLinks)
            try checkFileSystem()
            try checkPermissions(fileExists: main != nil, forWriting: forWriting)
            try checkSideFiles(forWriting: forWriting)
            let findings = Findings(
                hasContent: (main?.size ?? 0) > 0, hasWAL: (wal?.size ?? 0) > 0,
                hasJournal: try sideFile(.journal).hasBeginning)
            try checkOrphan(findings)
            guard main != nil || forWriting else {
                throw StoreError(
                    .invalidPath,
                    "There is no file \"\(file)\" to open for reading. Create the store by opening it for writing first."
                )
            }
            return findings
        } catch let failure as SystemCalls.Failure {
            throw failure.error("\"\(file)\" cannot be examined")
        }
    }

    private func checkKind(of status: SystemCalls.FileStatus?, allowsLinks: Bool) throws {
        guard let status else { return }
        guard status.isRegularFile else {
            let kind = status.isDirectory ? "a directory" : "not a regular file"
            throw StoreError(
                .invalidPath, "\"\(file)\" is \(kind). Name the file that holds the store.")
        }
        guard status.linkCount <= 1 || allowsLinks else {
            throw StoreError(
                .invalidPath,
                "\"\(file)\" has \(status.linkCount) names (hard links). Under each of them a store would have a lock and a WAL of its own, so that two processes could write to it and lose what the other has committed. Remove the other names, or open a copy."
            )
        }
    }

    /// Refuses files of other programs where SQLite, or a writer, would use them as its own.
    ///
    /// The reserve is left out, since a store does without it, and the lock, at which its own holder looks.
    private func checkSideFiles(forWriting: Bool) throws {
        let used: [SideFile.Kind] = [.wal, .index, .journal] + (forWriting ? [.witness] : [])
        for kind in used { try sideFile(kind).requireOurs() }
    }

    private func checkFileSystem() throws {
        guard let name = try SystemCalls.remoteFileSystem(at: directory) else { return }
        throw StoreError(
            .unsupportedFileSystem,
            "\"\(directory)\" lies on \(name), whose locks cannot be trusted with a database. Keep the store on a local disk."
        )
    }

    private func checkPermissions(fileExists: Bool, forWriting: Bool) throws {
        // First: on a file system that is mounted read-only, the file has no fault of its own.
        if forWriting, try !SystemCalls.isWritableDirectory(in: directory) {
            throw StoreError(
                .notPermitted,
                "This process may not create files in \"\(directory)\", where the WAL and the lock of the store belong. Change the directory's permissions, or choose a directory that can be written; a store is copied there with its WAL, if it has one."
            )
        }
        if fileExists, try !SystemCalls.isAccessible(file, forWriting: forWriting) {
            let verb = forWriting ? "read and write" : "read"
            throw StoreError(
                .notPermitted, "This process may not \(verb) \"\(file)\". Change its permissions.")
        }
    }

    /// SQLite would delete the WAL of an empty main file, and with it perhaps the last copy of
    /// committed data.
    private func checkOrphan(_ findings: Findings) throws {
        guard findings.hasWAL, !findings.hasContent else { return }
        throw StoreError(
            .damaged,
            "The main file \"\(file)\" is missing or empty, but its WAL \"\(walFile)\" exists and may hold data. Restore the main file, or move the WAL away to begin with an empty store."
        )
    }
}
