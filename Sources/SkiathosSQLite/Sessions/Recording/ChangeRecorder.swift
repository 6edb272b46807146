import CSkiathosSQLite
import GRDBSQLite
import SkiathosPlatformLibC
import SkiathosStore

/// Records the rows that a connection changes, by SQLite's pre-update hook
/// (sqlite.org/c3ref/preupdate_blobwrite.html).
///
/// The hook is installed only during a record. SQLite calls it for each row of an ordinary table that
/// a statement inserts, updates or deletes, also by a foreign key's action, by a trigger, or to make
/// room for a row with the same key. Virtual tables have no rows of this kind. ``SavepointTable`` tells
/// which of the changes were rolled back.
///
/// Not `Sendable`: SQLite calls it on the thread that uses the connection, whose holder guards every
/// field.
final class ChangeRecorder {
    /// Whether the library of SQLite can do it.
    static let isPossible = skiathos_can_observe_rows() != 0

    /// The tables of the entities by position; empty if they are not known, or no more.
    private var tables: [RecordedTable] = []
    /// The position of the table that has changed last, where the next search begins.
    private var lastTable = 0
    /// The records that are being made, the innermost last.
    private var recordings: [ChangeRecording] = []
    /// Whether the open transaction tells of its savepoints.
    private(set) var isJoined = false
    /// Whether the connection may have a statement that deletes all rows of a table without looking at
    /// them.
    ///
    /// SQLite decides that when it compiles a statement (sqlite.org/lang_delete.html): not while the
    /// hook is installed.
    private var mayTruncate = true

    /// Makes the recorder of a connection that was just opened.
    init() {}

    /// Whether a record is being made.
    var isRecording: Bool { !recordings.isEmpty }

    /// Begins a record.
    func begin(_ recording: ChangeRecording, in session: SQLiteSession) throws {
        if tables.isEmpty {
            tables = try session.shared.schema.entities.map { try RecordedTable($0, in: session) }
        }
        if !isRecording { install(on: session.handle) }
        do {
            if mayTruncate {
                let code = skiathos_expire_statements(session.handle)
                guard code == SQLITE_OK else { throw session.failure(code, entity: nil) }
                mayTruncate = try session.hasDeletingTriggers
            }
            if !isJoined { try session.perform(.joinSavepoints) }
        } catch {
            if !isRecording { _ = uninstall(from: session.handle) }
            throw error
        }
        recordings.append(recording)
    }

    /// Ends the record that was begun last.
    func end(in session: SQLiteSession) {
        if recordings.count == 1, !uninstall(from: session.handle) { markBlind() }
        recordings.removeLast()
    }

    /// Called after code with access to the connection has run.
    ///
    /// - Parameter mayCompile: Whether its statements may delete all rows of a table without looking at
    ///   them when they are used again.
    func nativeAccessEnded(on connection: OpaquePointer, mayCompile: Bool) {
        guard isRecording else {
            mayTruncate = true
            return
        }
        if mayCompile { mayTruncate = true }
        // The code may have installed a hook of its own.
        if !install(on: connection) { markBlind() }
    }

    /// Called after code with access to the connection has changed the tables of the file.
    func schemaChanged() {
        tables = []
        mayTruncate = true
        markBlind()
    }

    /// Called when the transaction begins to tell of its savepoints.
    func transactionJoined() { isJoined = true }

    /// Called when the transaction has ended in any way: a record inside of it has lost its base.
    func transactionEnded() {
        isJoined = false
        markBlind()
    }

    /// Called when a savepoint is opened, by its number from the outside.
    func opened(_ savepoint: Int32) { for recording in recordings { recording.opened(savepoint) } }

    /// Called when a savepoint is released.
    func released(_ savepoint: Int32) {
        for recording in recordings { recording.released(savepoint) }
    }

    /// Called when all changes since a savepoint are rolled back.
    func rolledBack(to savepoint: Int32) {
        for recording in recordings { recording.rolledBack(to: savepoint) }
    }

    private func markBlind() { for recording in recordings { recording.markBlind() } }

    /// Installs the hook; returns whether it was installed already.
    ///
    /// SQLite tells of an earlier hook only its context, so that one of other code cannot be installed
    /// again.
    @discardableResult
    private func install(on connection: OpaquePointer) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        let earlier = skiathos_observe_rows(
            connection,
            { context, connection, operation, schema, table, _, _ in
                guard let context, let connection, let schema, let table else { return }
                Unmanaged<ChangeRecorder>.fromOpaque(context)._withUnsafeGuaranteedRef {
                    $0.rowChanges(connection, operation, schema, table)
                }
            }, context)
        return earlier == context
    }

    /// Removes the hook; returns whether it was installed.
    private func uninstall(from connection: OpaquePointer) -> Bool {
        skiathos_observe_rows(connection, nil, nil) == Unmanaged.passUnretained(self).toOpaque()
    }

    /// Called by SQLite before a row changes.
    private func rowChanges(
        _ connection: OpaquePointer, _ operation: Int32, _ schema: UnsafePointer<CChar>,
        _ table: UnsafePointer<CChar>
    ) {
        guard strcmp(schema, "main") == 0, let entity = position(of: table) else { return }
        // Read at most once, for all records.
        var change: StoreRowChange?
        for recording in recordings {
            switch recording.need(of: entity) {
            case .nothing: continue
            case .mark: recording.markIncomplete(entity)
            case .rows:
                change = change ?? read(connection, operation, entity)
                if let change { recording.add(change) } else { recording.markIncomplete(entity) }
            }
        }
    }

    private func position(of table: UnsafePointer<CChar>) -> Int? {
        if tables.indices.contains(lastTable), tables[lastTable].isNamed(table) { return lastTable }
        guard let position = tables.firstIndex(where: { $0.isNamed(table) }) else { return nil }
        lastTable = position
        return position
    }

    /// The change that is about to be made, or `nil` if it cannot be told.
    private func read(
        _ connection: OpaquePointer, _ operation: Int32, _ entity: Int
    ) -> StoreRowChange? {
        let table = tables[entity]
        switch operation {
        case SQLITE_INSERT:
            return table.rowAfter(connection).map { .insert(entity: entity, after: $0) }
        case SQLITE_UPDATE:
            guard let before = table.rowBefore(connection), let after = table.rowAfter(connection)
            else { return nil }
            return .update(entity: entity, before: before, after: after)
        // Writing into a blob in place counts as a deletion.
        case SQLITE_DELETE where skiathos_is_part_of_row(connection) == 0:
            return table.rowBefore(connection).map { .delete(entity: entity, before: $0) }
        default: return nil
        }
    }
}
