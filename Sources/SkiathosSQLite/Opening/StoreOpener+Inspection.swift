import GRDB
import SkiathosStore

extension StoreOpener {
    /// Inspects a file that has a WAL through a connection that leaves the WAL as it is.
    ///
    /// It is read-only, unless a rollback journal has to be rolled back first.
    ///
    /// Otherwise the last writable connection checkpoints the WAL when it closes, and would so change a
    /// file that is refused.
    ///
    /// - Returns: The header that the main file had when the WAL held nothing that it lacked, if that is
    ///   known.
    /// - Throws: ``StoreError`` with code `incompleteWAL` if the WAL has lost acknowledged
    ///   commits, and `mismatchedWAL` if it belongs to another main file.
    func inspectUntouched(
        _ path: StorePath, _ findings: StorePath.Findings, _ lock: WriterLock
    ) throws -> MainHeader? {
        // Before a connection is opened: the first one rebuilds the index of the WAL.
        let completeness = try WALCompleteness(path, isSameBoot: lock.isSameBoot)
        guard findings.hasWAL else {
            guard findings.hasContent, let loss = try completeness.loss(nil) else { return nil }
            try accept(loss, path) { ["ok"] }
            return nil
        }
        // A rollback journal changes the header.
        let base = findings.hasJournal ? nil : try baseOfWAL(path, completeness)
        if findings.hasJournal {
            try RecoveryTrial(path).requireSound(settings("trial", isReadOnly: false))
        }
        var settings = settings("inspection", isReadOnly: !findings.hasJournal)
        settings.keepsWAL = true
        let queue = try settings.open(path.file)
        let content = Result {
            try queue.inDatabase { database in
                if findings.hasJournal { try database.requireWritable(path.file) }
                _ = try inspect(database, path)
                guard completeness.isKnown, let handle = database.sqliteConnection else { return }
                let file = try WALFile(handle)
                guard let loss = try completeness.loss(WALWalk(file.read)) else { return }
                try accept(loss, path) {
                    try String.fetchAll(database, sql: "PRAGMA integrity_check(3)")
                }
            }
        }
        try queue.close()
        _ = try content.get()
        return base
    }

    /// Throws if the WAL belongs to another main file; returns the header that its main file had when it
    /// held nothing that the file lacked, if that is known.
    ///
    /// SQLite would mix the pages of both files.
    func baseOfWAL(_ path: StorePath, _ completeness: WALCompleteness) throws -> MainHeader? {
        let walk = try walk(path)
        guard try completeness.belongsToMain(walk) else {
            throw StoreError(
                .mismatchedWAL,
                "\(path.quotedFile) is not the file that the WAL beside it belongs to: it was replaced or overwritten, such as by a backup, while the WAL stayed. To use the file that is there, move \"\(path.walFile)\", \"\(path.indexFile)\" and \"\(path.witnessFile)\" away. To go on as before, put the earlier file back. DataAccessLayer.replaceStore(at:with:) puts a backup in the place of a store. The files were left as they were."
            )
        }
        return try walk.header().flatMap { completeness.base(of: $0) }
    }

    /// Reads the WAL of a store to which no connection is open yet.
    private func walk(_ path: StorePath) throws -> WALWalk {
        do {
            return WALWalk(reading: try VFSFile(path.sideFile(.wal), creates: false))
        } catch {
            throw shared.errors.error(error.code, "\"\(path.walFile)\" cannot be opened")
        }
    }

    /// Does the same for a store that a writer may have open, which changes both files meanwhile.
    func requireOwnWAL(_ path: StorePath) throws {
        var attempts = 3
        while true {
            do {
                _ = try baseOfWAL(path, WALCompleteness(path, isSameBoot: false))
                return
            } catch let error as StoreError where error.code == .mismatchedWAL && attempts > 1 {
                attempts -= 1
                SystemCalls.pause(milliseconds: 5)
            }
        }
    }

    /// Refuses a WAL that has lost acknowledged commits, unless the user accepts that and the
    /// rest is sound.
    ///
    /// - Parameter check: Runs SQLite's check of the remaining data.
    private func accept(
        _ loss: WALCompleteness.Loss, _ path: StorePath, _ check: () throws -> [String]
    ) throws {
        let message =
            "The WAL \"\(path.walFile)\" ends before the last commit that was acknowledged: \(loss.description)."
        func refuse(_ code: StoreError.Code, _ advice: String) -> StoreError {
            StoreError(code, "\(message) \(advice) The files were left as they were.")
        }
        switch loss.remedy {
        case .removeWAL:
            throw refuse(
                .incompleteWAL,
                "The main file holds all of it: close every program that has the store open, move the WAL and \"\(path.indexFile)\" away, and open the store again."
            )
        case .backup:
            throw refuse(
                .damaged,
                "The main file holds pages of later commits, so what is left is not sound. Restore a backup."
            )
        case .acceptLoss where !options.acceptsIncompleteWAL:
            throw refuse(
                .incompleteWAL,
                "Restore a backup, or set Configuration.acceptsIncompleteWAL to open the store with what is left. If the main file is a backup already, remove \"\(path.indexFile)\" and \"\(path.witnessFile)\" as well."
            )
        case .acceptLoss:
            let problems = try check()
            guard problems != ["ok"] else { return }
            throw refuse(
                .damaged,
                "What is left is not sound: \(problems.joined(separator: "; ")). Restore a backup."
            )
        }
    }
}
