import GRDBSQLite
import SkiathosStore

extension SQLiteSession {
    func recordingChanges(
        of entities: Set<Int>, limit: RecordingLimit, _ body: () throws -> Void
    ) throws -> RecordedRowChanges? {
        guard isInTransaction, let recorder = try changeRecorder() else {
            try body()
            return nil
        }
        let recording = ChangeRecording(
            of: entities, among: shared.schema.entities.count, limit: limit)
        try unrecorded { try recorder.begin(recording, in: self) }
        do {
            try body()
        } catch {
            recorder.end(in: self)
            throw error
        }
        recorder.end(in: self)
        return recording.result
    }

    /// The recorder, made at the first use; `nil` if the library of SQLite cannot record changes.
    private func changeRecorder() throws -> ChangeRecorder? {
        if let recorder { return recorder }
        guard ChangeRecorder.isPossible, !isReadOnly else { return nil }
        let fresh = ChangeRecorder()
        let code = SavepointTable.register(fresh, on: handle)
        guard code == SQLITE_OK else { throw failure(code, entity: nil) }
        recorder = fresh
        return fresh
    }

    /// Called after code with access to the connection has run.
    func nativeAccessEnded() {
        guard let recorder else { return }
        let mayCompile = !recorder.isRecording || ((try? hasTemporaryTriggers) ?? true)
        recorder.nativeAccessEnded(on: handle, mayCompile: mayCompile)
    }

    /// Whether a statement would delete all rows of a table without looking at them, if it was
    /// compiled when no record was being made.
    @inline(__always)
    func mustCompileAnew(_ sql: String) -> Bool {
        guard let recorder, recorder.isRecording else { return false }
        // Without a condition a statement of ours ends with the name of the table.
        return sql.utf8.last == UInt8(ascii: "\"") && sql.hasPrefix("DELETE FROM ")
    }

    /// Whether a trigger may delete all rows of a table without looking at them, as far as its text
    /// tells.
    ///
    /// It would do so inside of any statement that was compiled when no record was being made.
    var hasDeletingTriggers: Bool {
        get throws {
            let sql = """
                SELECT count(*) FROM (
                    SELECT sql FROM sqlite_schema
                    WHERE type = 'trigger' AND substr(name, 1, ?1) <> ?2
                    UNION ALL SELECT sql FROM sqlite_temp_schema WHERE type = 'trigger'
                ) WHERE instr(upper(substr(sql, instr(upper(sql), 'BEGIN'))), 'DELETE') > 0
                """
            let prefix = SearchIndex.prefix
            let text = SQLText(sql, [.integer(Int64(prefix.utf8.count)), .text(prefix)])
            return try ownInteger(text) > 0
        }
    }

    /// Whether the connection has triggers of its own.
    var hasTemporaryTriggers: Bool {
        get throws {
            let sql = "SELECT count(*) FROM sqlite_temp_schema WHERE type = 'trigger'"
            return try ownInteger(SQLText(sql)) > 0
        }
    }

    /// Executes a statement of the recorder's own, which no caller asked for: it is in no trace and
    /// counts against no budget.
    private func ownInteger(_ text: SQLText) throws -> Int64 {
        try unrecorded { try metering(nil) { try integer(text, entity: nil) } }
    }
}
