import SkiathosStore

/// The target of a backup: checked, written under a temporary name, and renamed into place.
struct BackupTarget {
    /// The path of the finished copy.
    let path: StorePath
    /// The temporary path that is written, of which nothing was there before.
    let temporaryFile: String

    private let isOverwriting: Bool
    /// The file whose permissions the copy gets, if there is one.
    private let model: String?

    /// Checks the target without changing anything.
    ///
    /// - Parameters:
    ///   - source: The store that is copied, if it is in a file.
    ///   - model: The file whose permissions the copy gets; by default the source.
    /// - Throws: ``StoreError`` with code `invalidPath`, `fileExists`, `storeInUse` or what opening a
    ///   store there would throw.
    init(
        _ text: String, overwriting: Bool, source: StorePath?, like model: String? = nil
    ) throws {
        path = try StorePath(text)
        isOverwriting = overwriting
        self.model = model ?? source?.file
        temporaryFile = try TemporaryName.unused(beside: path.file)
        if let source { try requireOther(than: source) }
        try requireFree()
    }

    /// Makes the empty temporary file, with the store's permissions from the beginning.
    func create() throws {
        do {
            try SystemCalls.createFile(temporaryFile, like: model)
        } catch {
            throw error.error(
                "The file \"\(temporaryFile)\" for the backup could not be made with the permissions of the store"
            )
        }
    }

    /// Renames the copy into place.
    ///
    /// - Throws: ``StoreError``; the copy is still under its temporary name unless the message says
    ///   otherwise.
    func take() throws {
        // A store may have been opened here meanwhile, which would lose its file.
        let lock = isOverwriting && exists(path.lockFile) ? try WriterLock(path) : nil
        defer { lock?.release() }
        try requireFree()
        do {
            try giveName()
        } catch let failure as SystemCalls.Failure {
            throw StoreError(
                failure.code,
                "The backup could not be given its name \"\(path.file)\": \(failure). Nothing was left behind."
            )
        }
        do { try SystemCalls.syncDirectory(path.directory) } catch {
            throw StoreError(
                error.code,
                "The backup \"\(path.file)\" is complete, but its directory could not be synced, so its name may not survive a loss of power: \(error). Make another backup."
            )
        }
    }

    private func giveName() throws {
        if isOverwriting {
            try SystemCalls.rename(temporaryFile, to: path.file)
            // The witness belongs to the store that was here.
            return path.sideFile(.witness).removeIfOurs()
        }
        // Renaming would replace a file that another program has made meanwhile.
        guard try SystemCalls.rename(temporaryFile, toUnused: path.file) else { throw taken }
    }

    /// Removes what was written since ``create()`` has made the temporary file.
    func discard() { TemporaryName.removeFiles(temporaryFile) }

    private func requireOther(than source: StorePath) throws {
        let own = SideFile.Kind.allCases.map { source.sideFile($0).path } + [source.file]
        guard !own.contains(path.file), !(try isSameFile(source.file)) else {
            throw StoreError(
                .invalidPath,
                "\"\(path.file)\" belongs to the store that is to be copied. Choose another path for the backup."
            )
        }
    }

    /// Whether another name, such as a hard link, leads to the same file.
    private func isSameFile(_ other: String) throws -> Bool {
        let statuses = [try? SystemCalls.status(of: path.file), try? SystemCalls.status(of: other)]
        guard let mine = statuses[0], let theirs = statuses[1] else { return false }
        return mine.device == theirs.device && mine.inode == theirs.inode
    }

    private func requireFree() throws {
        if exists(path.file), !isOverwriting { throw taken }
        let findings = try path.check(forWriting: true, allowsLinks: isOverwriting)
        // SQLite would checkpoint a WAL that is there into the copy.
        guard !findings.hasWAL, !exists(path.sideFile(.journal).path) else {
            throw StoreError(
                .storeInUse,
                "There is a WAL beside \"\(path.file)\", so a store with this path is open, or was not closed. Close it, or choose another path for the backup."
            )
        }
    }

    // A link counts, too: the resolved path itself is none.
    private func exists(_ file: String) -> Bool { (try? SystemCalls.ownStatus(of: file)) != nil }

    private var taken: StoreError {
        StoreError(
            .fileExists,
            "There is a file \"\(path.file)\" already. Choose another path for the backup, or ask for overwriting."
        )
    }
}
