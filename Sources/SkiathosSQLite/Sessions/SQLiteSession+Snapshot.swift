import SkiathosStore

extension SQLiteSession {
    var committedVersion: UInt64? {
        guard let version else { return nil }
        guard isReadOnly else { return version.current }
        return isHeldExactly ? heldVersion : nil
    }

    /// Runs a closure against one version of the database.
    ///
    /// A connection that only reads keeps its snapshot for the next read, which uses it again
    /// while nothing newer was committed: beginning and ending one costs several times as much as
    /// finding a row. It gives it up after a second or two without a read, and around each
    /// checkpoint. Where another process may write, each read has a snapshot of its own.
    @inline(__always)
    func withSnapshot<R>(_ body: () throws -> R) throws -> R {
        guard isReadOnly, let version else { return try withOwnSnapshot(body) }
        if !version.isNewest(heldVersion) || hold.isHeld(before: version.lastRenewal) {
            try renewSnapshot(version)
        }
        do {
            return try body()
        } catch {
            releaseSnapshot()
            throw error
        }
    }

    /// Gives up the snapshot that is kept.
    func releaseSnapshot() {
        guard heldVersion != nil else { return }
        heldVersion = nil
        // A connection that cannot even end a read says so at its next use.
        try? rollback()
        hold.end()
    }

    private func renewSnapshot(_ version: SharedVersion) throws {
        releaseSnapshot()
        // The numbers are taken before the snapshot, which so is never older than they say.
        let number = version.current
        hold.begin(version.lastRenewal)
        do {
            try beginSnapshot()
        } catch {
            hold.end()
            throw error
        }
        heldVersion = number
        isHeldExactly = version.isNewest(number)
        version.snapshotTaken()
    }

    private func withOwnSnapshot<R>(_ body: () throws -> R) throws -> R {
        // Inside of a transaction there is one version already.
        if isInTransaction { return try body() }
        do {
            try beginSnapshot()
            let result = try body()
            try perform(.commit)
            return result
        } catch {
            // The failure of the closure is what counts; a connection that cannot even undo a
            // read says so at its next use.
            try? rollback()
            throw error
        }
    }

    /// SQLite chooses the version at the first statement that reads, so one is executed at once:
    /// whatever is committed while the closure gets ready is not seen in part.
    private func beginSnapshot() throws {
        try perform(.beginReading)
        do {
            try perform(.chooseVersion)
        } catch {
            try? rollback()
            throw error
        }
    }
}
