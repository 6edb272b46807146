import GRDBSQLite
import SkiathosStore

// SQLite keeps a copy of every page that changes in a savepoint, and opening and releasing one are two
// statements. A single row that is refused needs none of that: without a trigger, an insertion checks
// the row and every key before it writes the first of them (sqlite.org/lang_conflict.html, ABORT).
// Failures of other kinds can come between two of those writes. After them nothing tells how far the
// statement has got, and SQLite itself ends the transaction after most of them.
extension SQLiteSession {
    func insertAlone(_ row: any RowSource, into entity: Int) throws -> LoneInsertion {
        guard insertsAlone, shared.insertsPlainly[entity] else { return .notOffered }
        try requireWritable()
        willChange()
        var leavesNothing = false
        do {
            try send(.insert, entity, row) { sink in
                do {
                    try row.sendRows(to: &sink)
                } catch {
                    leavesNothing = sink.rowCount == 0 && Self.isRefusal(error)
                    throw error
                }
            }
        } catch {
            guard leavesNothing, isInTransaction else { throw doubtful(error) }
            return .refused(error)
        }
        do {
            try checkReferences()
        } catch {
            try remove(row, from: entity)
            return .refused(error)
        }
        return .inserted
    }

    /// Whether an error means that nothing of a row was written.
    private static func isRefusal(_ error: any Error) -> Bool {
        // A value that cannot be encoded is refused before the statement runs.
        guard let failure = error as? BackendFailure, failure.hasRun else { return true }
        return switch failure.code {
        case ConstraintCode.unique, ConstraintCode.primaryKey, ConstraintCode.rowID,
            ConstraintCode.notNull, ConstraintCode.dataType, SQLITE_TOOBIG:
            true
        default: false
        }
    }

    /// Deletes a row that was just inserted, and has a broken reference.
    ///
    /// No other row refers to it: all references led to rows before it was there.
    private func remove(_ row: any RowSource, from entity: Int) throws {
        let changes = sqlite3_total_changes64(handle)
        do {
            try send(.delete, entity, row) { try row.sendIDs(to: &$0) }
            // If the file has been changed where references were not enforced, a row may have referred to
            // this one, so that the rule for deleted targets was applied to it.
            guard sqlite3_total_changes64(handle) == changes + 1, try brokenReferences == 0 else {
                throw StoreError(
                    .damaged,
                    "A row of \"\(shared.schema.entities[entity].table)\" was refused, and cannot be removed alone: \(shared.errors.store) has references that lead to no row, which another program must have left. Repair them."
                )
            }
        } catch {
            throw doubtful(error)
        }
    }

    /// The error after which it is not known what the transaction holds.
    private func doubtful(_ error: any Error) -> any Error {
        // With a savepoint it would have been known, so the next such failure need not cost other
        // writes.
        if isInTransaction { insertsAlone = false }
        return error
    }
}
