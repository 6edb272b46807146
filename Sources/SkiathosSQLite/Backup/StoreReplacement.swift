import GRDB
import SkiathosStore

/// Puts a copy of a backup in the place of a store that is not open, whole or not at all.
///
/// The copy is made first, under a temporary name. Its second name, `-replacement`, is the decision: from
/// then on the next opening ends what a kill or a loss of power has cut off. Then the earlier files are moved
/// to a directory beside the store, and the copy gets the name of the store.
struct StoreReplacement {
    private let path: StorePath
    private let errors: ErrorTranslation

    init(at text: String) throws {
        path = try StorePath(text)
        errors = ErrorTranslation(file: path.file)
    }

    /// Replaces the store.
    ///
    /// - Returns: The path of the directory with the earlier files; `nil` if there were none.
    /// - Throws: ``StoreError`` with code `storeInUse` if the store is open, or the reason why the backup
    ///   cannot be used; everything is as it was then.
    func run(
        with backup: String, _ progress: (StoreProgress) throws -> Void
    ) throws -> String? {
        let source = try StorePath(backup)
        guard source.file != path.file else {
            throw StoreError(
                .invalidPath,
                "\(source.quotedFile) is the store that is to be replaced. Name the file of a backup."
            )
        }
        let findings = try source.check(forWriting: false, allowsLinks: true)
        guard !findings.hasWAL, !findings.hasJournal else {
            throw StoreError(
                .storeInUse,
                "There is a WAL or a journal beside \(source.quotedFile), so it is a store that is open, or was not closed. Open and close it, or name a backup."
            )
        }
        try requireOwnFiles()
        let lock = try WriterLock(path)
        defer { lock.release() }
        if let earlier = try Self.finish(path) { return earlier }
        try copy(source, progress)
        return try Self.finish(path)
    }

    /// The files that make place for the backup, beside the main file.
    private static let moved: [SideFile.Kind] = [.wal, .index, .journal, .witness]

    /// Throws if a file of another program would be moved.
    private func requireOwnFiles() throws {
        for kind in Self.moved + [.replacement] { try path.sideFile(kind).requireOurs() }
        do {
            guard let main = try SystemCalls.status(of: path.file), !main.isRegularFile else {
                return
            }
        } catch {
            throw error.error("\(path.quotedFile) cannot be examined")
        }
        throw StoreError(
            .invalidPath,
            "\(path.quotedFile) is not a file, so no backup takes its place. Name the file of a store."
        )
    }

    /// Copies the backup, and decides for it.
    private func copy(
        _ source: StorePath, _ progress: (StoreProgress) throws -> Void
    ) throws {
        do {
            var settings = ConnectionSettings(
                label: "Skiathos replacement", isReadOnly: true, cacheSize: 1 << 20,
                objects: .none)
            settings.keepsWAL = true
            let queue = try settings.open(source.file)
            do { try queue.inDatabase { try Self.check($0, source) } } catch {
                try? queue.close()
                throw error
            }
            let main = try SystemCalls.status(of: path.file) == nil ? source : path
            let target = try BackupTarget(
                path.sideFile(.replacement).path, overwriting: true, source: nil, like: main.file)
            let copying = try SQLiteBackup(queue, to: target, errors)
            var report: StoreProgress
            repeat {
                report = try copying.step()
                try progress(report)
            } while report.completed < report.total
            try copying.finish()
        } catch let error as CancellationError {
            throw error
        } catch {
            throw errors.error(error)
        }
    }

    private static func check(_ database: Database, _ source: StorePath) throws {
        guard try FileFormat.content(of: database, file: source.file) == .store else {
            throw StoreError(
                .notADatabase,
                "\(source.quotedFile) is empty, so it is no backup of a store. Check the path.")
        }
        let problems = try String.fetchAll(database, sql: "PRAGMA integrity_check(3)")
        guard problems == ["ok"] else {
            throw StoreError(
                .damaged,
                "The backup \(source.quotedFile) is not sound: \(problems.joined(separator: "; ")). Use another backup. The store was left as it was."
            )
        }
    }

    /// Whether a replacement was decided and cut off.
    static func isUnfinished(_ path: StorePath) throws -> Bool {
        let replacement = path.sideFile(.replacement)
        try replacement.requireOurs()
        do { return try replacement.hasBeginning } catch {
            throw error.error("\"\(replacement.path)\" cannot be examined")
        }
    }

    /// Ends a replacement that was decided, under the writer's lock; returns the directory with the earlier
    /// files.
    ///
    /// It may have been cut off anywhere, so each step is made if it has not been made yet. The name of the
    /// directory follows from the copy: all earlier files get there.
    @discardableResult
    static func finish(_ path: StorePath) throws -> String? {
        guard try isUnfinished(path) else { return nil }
        let replacement = path.sideFile(.replacement)
        do {
            guard case .ours(let header) = try replacement.find() else { return nil }
            var earlier: String?
            // Another program may have put a file there meanwhile, which stays.
            let sides = try moved.map { path.sideFile($0) }.filter { side in
                if case .ours = try side.find() { true } else { false }
            }
            let files = [path.file] + sides.map(\.path)
            let directory = "\(path.file).earlier-\(String(Fingerprint.hash(header), radix: 16))"
            if try SystemCalls.status(of: directory) != nil { earlier = directory }
            for file in files where try SystemCalls.ownStatus(of: file) != nil {
                if earlier == nil { try SystemCalls.makeDirectory(directory) }
                earlier = directory
                try SystemCalls.rename(file, to: directory + file.dropFirst(path.directory.count))
            }
            if earlier != nil { try SystemCalls.syncDirectory(directory) }
            try SystemCalls.rename(replacement.path, to: path.file)
            try SystemCalls.syncDirectory(path.directory)
            return earlier
        } catch let failure as SystemCalls.Failure {
            throw failure.error("\(path.quotedFile) could not be replaced. Open it again to go on")
        }
    }
}
