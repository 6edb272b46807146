import GRDB
import GRDBSQLite
import SkiathosStore

/// The state of one connection, and the way to work with it.
///
/// Not `Sendable`: used only by the holder of the connection, which guards every field. It
/// lives as long as the connection, so that an access allocates nothing. Fields used by every
/// access are read or written in one step, and exclusive access to them is not checked at run
/// time.
final class SQLiteSession {
    /// The schema with its prepared SQL and errors.
    let shared: StoreSQL
    /// Whether nothing may be changed.
    let isReadOnly: Bool
    /// The compiled statements.
    let statements: StatementCache
    /// SQLite's connection; not to be used once the session is closed.
    let handle: OpaquePointer
    /// GRDB's queue of the connection, which is entered only where GRDB's own code runs: entering it
    /// costs more than finding a row.
    private let queue: DatabaseQueue
    /// The WAL, on a connection that writes to a file.
    let wal: WriteAheadLog?
    /// How long to wait for locks of another program, on such a connection.
    let patience: BusyPatience?
    /// The commit counter; nil if another process may write.
    let version: CommitCounter?
    /// The tables that are read, if another process may migrate the file.
    let readSchema: ReadSchema?
    /// The version of the snapshot that is kept for the next read.
    @exclusivity(unchecked) var heldVersion: UInt64?
    /// Whether nothing was committed between the moment when that number was read and the moment when
    /// the snapshot was taken, so that the number is the snapshot's.
    @exclusivity(unchecked) var isHeldExactly = false
    /// Tells other threads since when that snapshot is kept.
    let pin: SnapshotPin
    /// How many reads there were, and how many at the last check for unused snapshots.
    @exclusivity(unchecked) var reads = 0
    @exclusivity(unchecked) var readsSeen = 0

    /// The statements that find single rows for reads.
    let lookups: RowLookups
    /// The read that is kept for the next transaction.
    @exclusivity(unchecked) var keptRead = KeptRead()

    /// Whether the connection is closed or about to be.
    @exclusivity(unchecked) private(set) var isClosed = false
    /// Whether the open transaction only deletes.
    @exclusivity(unchecked) var deletion = Deletion.never
    /// How many savepoints are open.
    @exclusivity(unchecked) var savepointDepth = 0
    /// Whether rows may be inserted without a savepoint, as far as is known.
    @exclusivity(unchecked) var insertsAlone = true
    /// The observer of queries, during a call of ``metering(_:_:)``.
    @exclusivity(unchecked) var meter: (any QueryMeter)?
    /// Whether statements check the task on whose thread they run for cancellation.
    @exclusivity(unchecked) var checksCancellation = false {
        didSet { if !checksCancellation, hasCancellationCheck { removeCancellationCheck() } }
    }
    /// Whether the progress handler with that check is installed.
    @exclusivity(unchecked) var hasCancellationCheck = false
    /// Records changed rows; `nil` before the first record.
    @exclusivity(unchecked) var recorder: ChangeRecorder?
    /// Records the statements; `nil` unless that was asked for.
    let trace: StatementTrace?
    /// The statements of ``Command``, by their numbers.
    @exclusivity(unchecked) private var commands: [PreparedStatement?]
    /// The same as SQLite knows them, which needs no reference count.
    @exclusivity(unchecked) private var commandPointers: [OpaquePointer?]
    /// The statements for rows by their IDs, by the position of the entity.
    @exclusivity(unchecked) private var entityStatements: [EntityStatements]

    /// The bulk statements that scan whole tables, since statistics are missing or outdated.
    var scanningStatements: Set<String> = []

    /// Makes the session of an open connection.
    init(
        _ queue: DatabaseQueue, shared: StoreSQL, isReadOnly: Bool,
        version: CommitCounter?, spareOf owner: SnapshotPin? = nil,
        readSchema: ReadSchema? = nil, recording: StatementRecording? = nil,
        wal makeWAL: ((OpaquePointer) throws -> WriteAheadLog)?
    ) throws {
        guard let handle = queue.inDatabase({ $0.sqliteConnection }) else {
            throw StoreError(.backend, "The connection was closed before its first use.")
        }
        self.shared = shared
        self.isReadOnly = isReadOnly
        self.handle = handle
        self.queue = queue
        self.version = version
        self.readSchema = readSchema
        pin = SnapshotPin(version, spareOf: owner)
        trace = recording.map { StatementTrace($0) }
        statements = StatementCache { sql in
            try queue.unsafeReentrantWrite { try $0.makeStatement(sql: sql) }
        }
        wal = try makeWAL?(handle)
        patience = wal == nil ? nil : BusyPatience()
        patience?.install(on: handle)
        commands = Array(repeating: nil, count: Command.allCases.count)
        commandPointers = Array(repeating: nil, count: commands.count)
        lookups = RowLookups(entityCount: shared.schema.entities.count)
        entityStatements = shared.schema.entities.map { _ in EntityStatements() }
        try prepareForNativeAccess()
        if !isReadOnly {
            let code = ColumnCheck.register(on: handle, for: shared.schema)
            guard code == SQLITE_OK else { throw failure(code, entity: nil) }
            // A transaction has to be rolled back when there is no memory to compile this.
            _ = try compile(.rollback)
        }
        // Last, so that the settings of the connection are not recorded, and that no call remains
        // which could fail and release the trace.
        trace?.install(on: handle)
    }

    /// Releases everything that would prevent the connection from closing.
    func close() {
        isClosed = true
        trace?.uninstall(from: handle)
        releaseSnapshot()
        keptRead.end()
        lookups.close()
        wal?.close()
        patience?.uninstall(from: handle)
        commandPointers.removeAll()
        commands.removeAll()
        entityStatements.removeAll()
        statements.removeAll()
    }

    /// Ends the statements that stay open from one access to the next, so that SQLite forgets an
    /// interruption that was meant for an earlier access.
    func endOpenStatements() {
        keptRead.end()
        lookups.end()
    }

    /// Runs a closure with GRDB's object for the connection.
    func natively<R>(_ body: (Database) throws -> R) rethrows -> R {
        try queue.unsafeReentrantWrite(body)
    }

    /// Whether a transaction is open.
    ///
    /// SQLite itself ends one after some failures.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// A compiled statement that is not in use.
    func statement(_ sql: String) throws -> PreparedStatement {
        do {
            if mustCompileAnew(sql) { return try statements.compile(sql) }
            return try statements.statement(sql)
        } catch {
            throw shared.errors.error(error)
        }
    }

    /// The compiled statement for single rows of an entity, or another one like it while that is in
    /// use.
    func statement(for purpose: EntityStatements.Purpose, _ entity: Int) throws -> PreparedStatement
    {
        if let known = entityStatements[entity].statement(for: purpose) { return known }
        do {
            let sql = shared.requests.entities[entity].sql(for: purpose)
            let fresh = try statements.compile(sql)
            entityStatements[entity].keep(fresh, for: purpose)
            return fresh
        } catch {
            throw shared.errors.error(error)
        }
    }

    /// Executes a statement that nearly every access needs.
    func perform(_ command: Command) throws { try check(execute(command)) }

    /// Executes such a statement and returns SQLite's result code.
    func execute(_ command: Command) throws -> Int32 {
        let statement = try pointer(to: command)
        let code = sqlite3_step(statement)
        // The result of resetting repeats that of the step.
        _ = sqlite3_reset(statement)
        return code
    }

    /// Such a statement, compiled if necessary.
    func pointer(to command: Command) throws -> OpaquePointer {
        try commandPointers[command.rawValue] ?? compile(command)
    }

    private func compile(_ command: Command) throws -> OpaquePointer {
        do {
            let fresh = try statements.compile(command.sql)
            commands[command.rawValue] = fresh
            commandPointers[command.rawValue] = fresh.pointer
            return fresh.pointer
        } catch {
            throw shared.errors.error(error)
        }
    }

    /// Executes a statement that has neither parameters nor rows.
    func perform(_ sql: String) throws {
        try statement(sql).use { statement in
            try check(sqlite3_step(statement.pointer))
        }
    }

    /// Executes a statement and returns the integer in its only row and column.
    func integer(
        _ text: SQLText, entity: Int?, _ request: SkiathosStore.FetchRequest? = nil
    ) throws -> Int64 {
        try integer(try statement(text.sql), text.parameters, entity: entity, request)
    }

    /// Executes a statement with these parameters and returns the integer in its only row and column.
    func integer(
        _ statement: PreparedStatement, _ parameters: [StoreValue], entity: Int?,
        _ request: SkiathosStore.FetchRequest?
    ) throws -> Int64 {
        try statement.use { statement in
            try bind(parameters, to: statement, entity: entity)
            return try integer(statement, entity: entity, request)
        }
    }

    /// Executes a bound statement and returns the integer in its only row and column.
    func integer(
        _ statement: PreparedStatement, entity: Int?, _ request: SkiathosStore.FetchRequest?
    ) throws -> Int64 {
        installCancellationCheckIfNeeded()
        return try metered(statement, request) {
            let code = sqlite3_step(statement.pointer)
            guard code == SQLITE_ROW else { throw failure(code, entity: entity) }
            return sqlite3_column_int64(statement.pointer, 0)
        }
    }

    /// Binds values to the parameters of a statement.
    func bind(_ values: [StoreValue], to statement: PreparedStatement, entity: Int?) throws {
        let parameters = statement.parameters
        try locatingBinding(entity) {
            for (position, value) in values.enumerated() {
                try value.bind(to: parameters, at: position)
            }
        }
    }

    /// Runs a closure that binds values, and names the entity in its errors.
    @inline(__always)
    func locatingBinding(_ entity: Int?, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let failure as BackendFailure {
            throw self.failure(failure.code, entity: entity)
        } catch let error as StoreError {
            guard let entity else { throw error }
            throw error.locating(entity: shared.schema.entities[entity].table)
        }
    }

    /// Throws unless a step has reached its end or a row.
    func check(_ code: Int32, entity: Int? = nil) throws {
        guard code == SQLITE_DONE || code == SQLITE_ROW else { throw failure(code, entity: entity) }
    }

    /// The error for a result code that the connection has just returned.
    func failure(_ code: Int32, entity: Int?) -> StoreError {
        // The connection's message is about its last call, which may have been another one.
        wal?.operationFailed()
        if code & 0xFF == SQLITE_FULL { wal?.spaceRanOut() }
        let isLast = sqlite3_extended_errcode(handle) == code
        let message = isLast ? sqlite3_errmsg(handle) : sqlite3_errstr(code)
        return shared.errors.error(
            code, message.map { String(cString: $0) } ?? "no message",
            entity: entity.map { shared.schema.entities[$0].table })
    }

    /// Checkpoints the WAL before the connection is closed, without a long wait for another
    /// program.
    ///
    /// The next opening checkpoints the rest.
    func truncateWAL() throws {
        patience?.shorten()
        keptRead.end()
        try wal?.truncate(shared.errors)
    }
}
