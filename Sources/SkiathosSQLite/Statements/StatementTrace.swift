import GRDBSQLite
import SkiathosPlatformLibC
import SkiathosStore

/// Records the statements of one connection, as SQLite reports them (sqlite.org/c3ref/trace_v2.html).
///
/// Not `Sendable`: SQLite calls it on the thread that uses the connection, whose holder guards every
/// field.
final class StatementTrace {
    /// The most bytes that are kept of a statement with its values, which may be of any length.
    private static let longestText = 16 << 10

    /// A statement between its first step and its last.
    private struct Running {
        let statement: OpaquePointer
        let start: ContinuousClock.Instant
        /// The statement's count of steps in full scans when it began.
        let scanSteps: Int32
        var rows = 0
    }

    /// A statement that has ended, and its text without values, which its plan is made of.
    private struct Ended {
        var statement: RecordedStatement
        let sql: String
    }

    private let recording: StatementRecording
    /// The statements that are running, the innermost last: mostly one.
    private var running: [Running] = []
    private var ended: [Ended] = []
    /// How many statements have ended past the limit.
    private var dropped = 0
    /// Whether statements are ignored, since the store executes them for itself.
    private var isMuted = false

    init(_ recording: StatementRecording) { self.recording = recording }

    /// Has SQLite report the statements of a connection, in place of what it has reported to until
    /// now.
    ///
    /// The connection does not retain this object: ``uninstall(from:)`` comes first.
    func install(on connection: OpaquePointer) {
        let events = SQLITE_TRACE_STMT | SQLITE_TRACE_ROW | SQLITE_TRACE_PROFILE
        sqlite3_trace_v2(
            connection, UInt32(events),
            { event, trace, statement, text in
                guard let trace, let statement else { return 0 }
                let statementTrace = Unmanaged<StatementTrace>.fromOpaque(trace)
                statementTrace.takeUnretainedValue().handle(
                    Int32(bitPattern: event), OpaquePointer(statement), text)
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends the reports.
    func uninstall(from connection: OpaquePointer) {
        sqlite3_trace_v2(connection, 0, nil, nil)
    }

    /// Runs a closure whose statements are not recorded.
    func muted<R>(_ body: () throws -> R) rethrows -> R {
        let wasMuted = isMuted
        isMuted = true
        defer { isMuted = wasMuted }
        return try body()
    }

    /// Removes and returns what was recorded.
    ///
    /// - Parameter plan: Makes the plan of a statement, on the same connection.
    func take(_ plan: (_ sql: String) -> [String]) -> RecordedStatements {
        guard !ended.isEmpty || dropped > 0 else { return RecordedStatements() }
        var taken = ended
        ended.removeAll(keepingCapacity: taken.count < 100)
        defer { dropped = 0 }
        if recording.includesPlans { muted { Self.addPlans(to: &taken, plan) } }
        return RecordedStatements(taken.map(\.statement), dropped: dropped)
    }

    private static func addPlans(
        to statements: inout [Ended], _ plan: (_ sql: String) -> [String]
    ) {
        var plans: [String: [String]] = [:]
        for index in statements.indices where hasPlan(statements[index].sql) {
            let sql = statements[index].sql
            let lines = plans[sql] ?? plan(sql)
            plans[sql] = lines
            statements[index].statement.plan = lines
        }
    }

    private func handle(
        _ event: Int32, _ statement: OpaquePointer, _ text: UnsafeMutableRawPointer?
    ) {
        switch event {
        case SQLITE_TRACE_STMT: begin(statement, text)
        case SQLITE_TRACE_ROW:
            if let index = running.lastIndex(where: { $0.statement == statement }) {
                running[index].rows += 1
            }
        case SQLITE_TRACE_PROFILE:
            guard let index = running.lastIndex(where: { $0.statement == statement }) else {
                return
            }
            end(running.remove(at: index))
        default: break
        }
    }

    private func begin(_ statement: OpaquePointer, _ text: UnsafeMutableRawPointer?) {
        guard !isMuted, let text else { return }
        // For a trigger that a statement runs, and for a statement that a virtual table executes
        // inside of another one, the text is a comment instead of the statement's own.
        guard UnsafeRawPointer(text) == UnsafeRawPointer(sqlite3_sql(statement)) else { return }
        // A statement that was not reset after an error is still listed: that run never ends.
        running.removeAll { $0.statement == statement }
        running.append(
            Running(
                statement: statement, start: recording.now(),
                scanSteps: Self.scanSteps(statement)))
    }

    private func end(_ finished: Running) {
        let duration = finished.start.duration(to: recording.now())
        guard duration >= recording.threshold else { return }
        guard ended.count < recording.limit else {
            dropped += 1
            return
        }
        let sql = sqlite3_sql(finished.statement).map { String(cString: $0) } ?? ""
        let steps = Self.scanSteps(finished.statement)
        // The counter is set back by a meter that has read it.
        let scanned = Int(steps >= finished.scanSteps ? steps - finished.scanSteps : steps)
        let statement = RecordedStatement(
            sql: recording.includesValues ? Self.expanded(finished.statement) ?? sql : sql,
            duration: duration, rows: finished.rows,
            isFullScan: scanned > 0 && (scanned > finished.rows || !Self.hasLimit(sql)))
        ended.append(Ended(statement: statement, sql: sql))
    }

    private static func scanSteps(_ statement: OpaquePointer) -> Int32 {
        sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0)
    }

    /// The statement with the values of its parameters.
    private static func expanded(_ statement: OpaquePointer) -> String? {
        guard let text = sqlite3_expanded_sql(statement) else { return nil }
        defer { sqlite3_free(text) }
        let bytes = UnsafeBufferPointer(
            start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: strlen(text))
        guard bytes.count > longestText else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: bytes.prefix(longestText), as: UTF8.self) + "…"
    }

    private static func hasLimit(_ sql: String) -> Bool {
        sql.uppercased().contains(" LIMIT ")
    }

    /// Whether a statement has a plan, and can be explained without taking effect, as settings
    /// would.
    private static func hasPlan(_ sql: String) -> Bool {
        let word = sql.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        return ["SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH"].contains(word)
    }
}
