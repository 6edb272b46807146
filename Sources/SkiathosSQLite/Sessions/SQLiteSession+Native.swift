import GRDB
import GRDBSQLite
import SkiathosStore

// Passes the connection to code that may execute any SQL. The code cannot commit. Other
// forbidden actions are detected when it returns.
extension SQLiteSession {
    /// Prepares a connection that was just opened for raw SQL.
    ///
    /// This session commits without GRDB, whose transaction observers would report that commit
    /// late, during the next transaction. So its hooks are removed.
    func prepareForNativeAccess() throws {
        sqlite3_commit_hook(handle, nil, nil)
        sqlite3_rollback_hook(handle, nil, nil)
        // Also prevents temporary tables from remaining on one of several connections.
        if isReadOnly { try perform("PRAGMA query_only = 1") }
    }

    func readNatively(_ body: (AnyObject?) throws -> Void) throws {
        // While a statement is open, SQLite refuses to replace a function or a collation.
        lookups.end()
        let changes = sqlite3_total_changes64(handle)
        try translatingErrors {
            try natively { database in
                try database.readOnly {
                    try withNativeSavepoint { database in
                        try body(database)
                        // The code may have removed the protection.
                        guard sqlite3_total_changes64(handle) == changes else {
                            throw brokenBoundary("has changed rows in a read")
                        }
                    }
                }
            }
        }
    }

    func writeNatively(_ body: (AnyObject?) throws -> Void) throws -> NativeChanges {
        try requireWritable()
        willChange()
        let changes = sqlite3_total_changes64(handle)
        let marks = try FileMarks(self)
        try translatingErrors { try withNativeSavepoint(body) }
        do {
            // A trigger may leave a part of what a refused row has caused.
            if insertsAlone, try hasTemporaryTriggers { insertsAlone = false }
            try requireSameTables(since: marks)
        } catch {
            try rollback()
            throw error
        }
        guard sqlite3_total_changes64(handle) != changes else {
            return NativeChanges(isChanged: false, highestIDs: [])
        }
        let highest = try shared.schema.entities.indices.map { try highestStoredID(of: $0) }
        return NativeChanges(isChanged: true, highestIDs: highest)
    }

    /// Runs the code inside a savepoint, and checks that the savepoint still exists
    /// afterwards.
    ///
    /// Otherwise the code has ended the transaction around it.
    private func withNativeSavepoint(_ body: (Database) throws -> Void) throws {
        try perform(#"SAVEPOINT "lent""#)
        installCancellationCheckIfNeeded()
        let busy = Set(busyStatements)
        // An answer other than 0 turns a commit into a rollback (sqlite.org/c3ref/commit_hook.html).
        sqlite3_commit_hook(handle, { _ in 1 }, nil)
        let result = Result { try natively(body) }
        sqlite3_commit_hook(handle, nil, nil)
        // The code may have traced its statements, and SQLite has one trace for a connection.
        trace?.install(on: handle)
        // The progress handler may be one of the code's by now. The check would make a statement about the
        // savepoint fail that has had its effect.
        removeCancellationCheck()
        wal?.listen()
        nativeAccessEnded()
        // A statement that was not stepped to its end keeps its snapshot beyond the
        // transaction.
        for statement in busyStatements where !busy.contains(statement) { sqlite3_reset(statement) }
        do {
            if case .failure = result { try performExactly(#"ROLLBACK TO "lent""#) }
            try performExactly(#"RELEASE "lent""#)
        } catch {
            try rollback()
            throw brokenBoundary(
                "has ended the transaction that it was run in", cause: result.failure)
        }
        try result.get()
    }

    /// Executes a statement about a savepoint, past interruptions.
    private func performExactly(_ sql: String) throws {
        guard isInTransaction else { throw StoreError(.backend, "There is no transaction.") }
        while true {
            do {
                return try perform(sql)
            } catch let error as StoreError where error.code == .interrupted && isInTransaction {
                // The interruption was meant for a statement that has already ended.
                continue
            }
        }
    }

    /// The statements of the connection that are between their first row and their last.
    private var busyStatements: [OpaquePointer] {
        var busy: [OpaquePointer] = []
        var next = sqlite3_next_stmt(handle, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { busy.append(statement) }
            next = sqlite3_next_stmt(handle, statement)
        }
        return busy
    }

    private func translatingErrors(_ body: () throws -> Void) throws {
        do { try body() } catch {
            let error = shared.errors.error(error)
            if let error = error as? StoreError, error.code == .diskFull { wal?.spaceRanOut() }
            throw error
        }
    }

    private func highestStoredID(of entity: Int) throws -> Int64 {
        guard hasIntegerID(entity) else { return 0 }
        let entitySQL = shared.requests.entities[entity]
        let sql = "SELECT coalesce(max(\(entitySQL.columns[0])), 0) FROM \(entitySQL.table)"
        return try integer(SQLText(sql), entity: entity)
    }

    /// Throws if the file can no longer be opened as a store of these entities.
    private func requireSameTables(since marks: FileMarks) throws {
        let present = try FileMarks(self)
        guard present != marks else { return }
        recorder?.schemaChanged()
        guard present.application == marks.application, present.layout == marks.layout else {
            throw brokenBoundary("has changed the file's application ID or user version")
        }
        let differences = Result {
            let planner = try SchemaPlanner(
                shared.schema, [], declaredObjects: shared.declaredObjects)
            return try natively { try planner.differences(in: $0) }
        }
        switch differences {
        case .success(let lines):
            guard !lines.isEmpty else { return }
            throw brokenBoundary(
                "has changed tables, so that the store could not be opened again (\(lines.joined(separator: "; ")))"
            )
        case .failure(let error): throw shared.errors.error(error)
        }
    }

    private func brokenBoundary(_ what: String, cause: (any Error)? = nil) -> StoreError {
        StoreError(
            .brokenBoundary,
            "Raw SQL \(what). Nothing of it remains. Leave BEGIN, COMMIT and ROLLBACK, and all ordinary tables, to the store; savepoints, temporary tables and indexes of your own are free, and so are virtual tables, views and triggers that Configuration.declaredObjects names.",
            cause: cause.map { shared.errors.error($0) })
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

/// The marks of a file's header about its content.
private struct FileMarks: Equatable {
    let application: Int64
    let layout: Int64
    /// Changes with each change of any table.
    let schema: Int64

    init(_ session: SQLiteSession) throws {
        application = try session.integer(SQLText("PRAGMA application_id"), entity: nil)
        layout = try session.integer(SQLText("PRAGMA user_version"), entity: nil)
        schema = try session.integer(SQLText("PRAGMA schema_version"), entity: nil)
    }
}
