import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    var committedVersion: UInt64? {
        guard let version else { return nil }
        guard isReadOnly else { return version.current }
        return isHeldExactly ? heldVersion : nil
    }

    /// Runs a closure against one version of the database.
    ///
    /// A read-only connection keeps its snapshot for the next read, which reuses it until the next
    /// commit has ended: beginning and ending one costs several times as much as finding a row. It releases the snapshot after one to two seconds without a read, and
    /// around each checkpoint. If another process may write, each read has a snapshot of its
    /// own.
    @inline(__always)
    func withSnapshot<R>(_ body: () throws -> R) throws -> R {
        guard isReadOnly, let version else { return try withOwnSnapshot(body) }
        let isReusable = isHeldExactly && (heldVersion.map(pin.isReusable) ?? false)
        if !isReusable { try renewSnapshot(version) }
        do {
            return try body()
        } catch {
            releaseSnapshot()
            throw error
        }
    }

    /// Releases the kept snapshot unless a read has reserved it; returns whether it did.
    func releaseSnapshotUnlessReserved() -> Bool {
        guard pin.withdraw() else { return false }
        releaseSnapshot()
        return true
    }

    /// Releases the kept snapshot.
    func releaseSnapshot() {
        guard heldVersion != nil else { return }
        heldVersion = nil
        lookups.end()
        // A connection that cannot end a read fails at its next use.
        unrecorded { try? rollback() }
        pin.end()
    }

    private func renewSnapshot(_ version: CommitCounter) throws {
        let number = try takeSnapshot(version)
        hold(number, isExact: version.isExact(number), version)
    }

    /// Takes the snapshot of the read that has reserved the connection, and whose version has a number;
    /// returns whether it was still pending.
    func takePendingSnapshot(_ pending: UInt64) throws -> Bool {
        guard let version else { return false }
        if isHeldExactly, let heldVersion, pin.isReusable(heldVersion), heldVersion | 1 >= pending {
            return pin.settle(pending, on: .snapshot)
        }
        let number = try takeSnapshot(version)
        // No commit after the one that may have run when the read began could be read until now, or the
        // snapshot is pending no more.
        guard pin.settle(pending, on: .snapshot) else {
            releaseSnapshot()
            return false
        }
        if pending.isMultiple(of: 2) {
            hold(pending, isExact: true, version)
        } else {
            // The commit had ended if the number was another one before.
            let hasEnded = number != pending
            hold(hasEnded ? pending &+ 1 : pending, isExact: hasEnded, version)
        }
        return true
    }

    /// Takes a snapshot, of which it is known that it has a version.
    func takeSnapshot(of number: UInt64) throws {
        guard let version, !(isHeldExactly && heldVersion == number) else { return }
        var attempts = 0
        while true {
            do {
                _ = try takeSnapshot(version)
                return hold(number, isExact: true, version)
            } catch let error as StoreError where error.code == .interrupted && attempts < 16 {
                // It was meant for an earlier read.
                attempts += 1
            }
        }
    }

    /// Takes a snapshot in place of the one that is held; returns the number under which it was taken.
    private func takeSnapshot(_ version: CommitCounter) throws -> UInt64 {
        releaseSnapshot()
        // The numbers are read before the snapshot is taken, so it is never older than they say.
        let number = version.current
        pin.begin(version.lastRenewal)
        do {
            try beginSnapshot()
        } catch {
            pin.end()
            throw error
        }
        heldVersion = number
        isHeldExactly = false
        return number
    }

    /// Records the version of the snapshot that was just taken, before anything is read from it.
    private func hold(_ number: UInt64, isExact: Bool, _ version: CommitCounter) {
        heldVersion = number
        isHeldExactly = isExact
        if isExact { pin.keep(number) } else { version.snapshotMayContainCommit() }
        version.snapshotTaken()
    }

    private func withOwnSnapshot<R>(_ body: () throws -> R) throws -> R {
        // A transaction already has one version.
        if isInTransaction { return try body() }
        do {
            if let readSchema {
                // Reading the number chooses the version, too.
                try unrecorded { try perform(.beginReading) }
                try readSchema.check(schemaNumber(), self)
            } else {
                try beginSnapshot()
            }
            let result = try body()
            lookups.end()
            try unrecorded { try perform(.commit) }
            return result
        } catch {
            lookups.end()
            // The error of the closure is thrown. A connection that cannot end a read fails at
            // its next use.
            unrecorded { try? rollback() }
            throw error
        }
    }

    /// Takes the snapshot at once.
    ///
    /// SQLite chooses the version at the first statement that reads, so one is executed here.
    /// Otherwise the closure could see a part of what is committed meanwhile.
    private func beginSnapshot() throws {
        try unrecorded {
            try perform(.beginReading)
            do {
                try perform(.chooseVersion)
            } catch {
                try? rollback()
                throw error
            }
        }
    }

    private func schemaNumber() throws -> Int64 {
        try unrecorded {
            let statement = try pointer(to: .schemaNumber)
            defer { sqlite3_reset(statement) }
            let code = sqlite3_step(statement)
            guard code == SQLITE_ROW else { throw failure(code, entity: nil) }
            return sqlite3_column_int64(statement, 0)
        }
    }

    /// Runs statements about a snapshot, which are not those of any access.
    @inline(__always)
    func unrecorded<R>(_ body: () throws -> R) rethrows -> R {
        guard let trace else { return try body() }
        return try trace.muted(body)
    }
}
