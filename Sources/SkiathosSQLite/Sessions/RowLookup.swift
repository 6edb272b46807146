import CSkiathosSQLite
import GRDBSQLite
import SkiathosStore

/// Finds rows of one entity by their IDs with a statement that stays open between the look-ups of a
/// snapshot.
///
/// Beginning and ending a statement takes SQLite longer than finding a row. This statement walks through a
/// table-valued function whose next row is the next ID that is set, and joins the row of the entity:
///
/// ```sql
/// SELECT "user"."id", … FROM skiathos_key(?) CROSS JOIN "user" ON "user"."id" = +skiathos_key.id
/// ```
///
/// A step finds the row of one ID, and the next step continues with the next ID. Measured with nine columns:
/// 4,100 instructions a row instead of 7,500. An ID without a row ends the statement, since there is no
/// other ID to continue with. While it is open:
///
/// - The snapshot cannot end, so the statement ends before it.
/// - SQLite does not forget an interruption, so the statement ends at the first access after one.
/// - SQLite replaces no function, so the statement ends before raw SQL.
///
/// Statistics from a time when the table had a few rows have SQLite scan it; once that was seen, each row is
/// found by a statement of its own.
///
/// Not `Sendable`: used only by the holder of the connection, which guards every field.
struct RowLookup: ~Copyable {
    /// Where the statement finds the next ID.
    private let key: UnsafeMutablePointer<skiathos_key>
    private var statement: PreparedStatement?
    /// The same as SQLite knows it, which needs no reference count; `nil` before it was compiled.
    private(set) var pointer: OpaquePointer?
    /// Whether there was a look-up since the statement ended.
    ///
    /// The first one of a snapshot, often the only one, is better off with a statement of its own.
    private var wasAsked = false
    /// Whether the statement may have a row.
    private var isOpen = false
    /// Whether that row is being read.
    private var isInUse = false
    /// Whether the statement has gone through the table row by row.
    private var isScanning = false

    init() {
        key = .allocate(capacity: 1)
        key.initialize(to: skiathos_key())
    }

    // The statement, which is released afterwards, does not look at the key any more.
    deinit { key.deallocate() }

    /// How a row is looked up.
    enum Way {
        /// By a statement that begins and ends.
        case alone
        /// The same, for the first time since the statement ended.
        case first
        /// By the statement that stays open.
        case opened
    }

    /// Records that a row is looked up, and returns how.
    mutating func ask() -> Way {
        if isInUse || isScanning { return .alone }
        if wasAsked { return .opened }
        wasAsked = true
        return .first
    }

    /// Takes the compiled statement; returns a result code.
    mutating func prepare(_ statement: PreparedStatement) -> Int32 {
        self.statement = statement
        pointer = statement.pointer
        return skiathos_bind_key(statement.pointer, 1, key)
    }

    /// Releases the statement.
    mutating func close() {
        end()
        statement = nil
        pointer = nil
    }

    /// Sets the ID for the next step; returns whether this kind of ID can be looked up here.
    func set(_ id: StoreValue) -> Bool {
        switch id {
        case .integer(let number):
            skiathos_set_number(key, number)
            return true
        case .text(let text):
            let isSet = text.utf8.withContiguousStorageIfAvailable { bytes in
                // The parameter of a statement refuses NUL characters.
                !bytes.contains(0)
                    && skiathos_set_bytes(key, SQLITE_TEXT, bytes.baseAddress, bytes.count)
            }
            return isSet ?? false
        case .blob(let bytes):
            return bytes.withUnsafeBytes {
                skiathos_set_bytes(key, SQLITE_BLOB, $0.baseAddress, $0.count)
            }
        case .null, .real: return false
        }
    }

    /// Records that the statement is about to be stepped, and its row to be read.
    mutating func begin() {
        isInUse = true
        isOpen = true
    }

    /// Records that the row was read, or that there is none.
    ///
    /// - Parameter code: That of the last step.
    mutating func finish(_ code: Int32) {
        isInUse = false
        guard let pointer else { return }
        isScanning = sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0) > 0
        if isScanning || code != SQLITE_ROW { end() }
    }

    /// Ends the statement, if it is open.
    mutating func end() {
        wasAsked = false
        guard isOpen, let pointer else { return }
        isOpen = false
        // The result repeats that of the last step.
        _ = sqlite3_reset(pointer)
    }
}

/// The look-ups of one connection.
///
/// Not `Sendable`: used only by the holder of the connection, which guards every field. Not a struct, which
/// would be copied as a whole to read one field.
final class RowLookups {
    /// Those of the entities, by their positions; used without reference counts and checks of exclusive
    /// access, which would cost a tenth of finding a row.
    private let all: UnsafeMutableBufferPointer<RowLookup>
    /// The entities that were asked for since the last call of ``end()``.
    @exclusivity(unchecked) private var asked: [Int] = []

    init(entityCount: Int) {
        all = .allocate(capacity: entityCount)
        for entity in all.indices { all.initializeElement(at: entity, to: RowLookup()) }
        asked.reserveCapacity(entityCount)
    }

    deinit { all.deinitialize().deallocate() }

    /// The look-up of an entity, unless a statement of its own is better.
    @inline(__always)
    func lookup(of entity: Int) -> UnsafeMutablePointer<RowLookup>? {
        guard let first = all.baseAddress else { return nil }
        let lookup = first + entity
        switch lookup.pointee.ask() {
        case .opened: return lookup
        case .alone: return nil
        case .first:
            if !asked.contains(entity) { asked.append(entity) }
            return nil
        }
    }

    /// Ends all statements, before the snapshot.
    @inline(__always)
    func end() {
        if !asked.isEmpty { endAsked() }
    }

    /// Releases the statements, before the connection is closed.
    func close() {
        for entity in all.indices { all[entity].close() }
    }

    private func endAsked() {
        for entity in asked { all[entity].end() }
        asked.removeAll(keepingCapacity: true)
    }
}

extension SQLiteSession {
    /// Passes the row with an ID to a closure, found by the statement that stays open; returns whether that
    /// can be used.
    @inline(__always)
    func lookUp(
        entity: Int, id: StoreValue, _ body: (inout RowCursor) throws -> Void
    ) throws -> Bool {
        // A meter and a trace see each query as a statement that begins and ends.
        guard isReadOnly, meter == nil, trace == nil, let lookup = lookups.lookup(of: entity)
        else { return false }
        let statement = try lookup.pointee.pointer ?? compile(lookup, entity)
        guard lookup.pointee.set(id) else { return false }
        lookup.pointee.begin()
        var cursor = RowCursor(statement: statement, functions: SQLiteFunctions.table.pointer)
        defer { lookup.pointee.finish(cursor.code) }
        try walk(&cursor, entity, statement, body)
        return true
    }

    private func compile(
        _ lookup: UnsafeMutablePointer<RowLookup>, _ entity: Int
    ) throws -> OpaquePointer {
        do {
            let statement = try statements.compile(shared.requests.entities[entity].lookUp)
            try check(bindingCode: lookup.pointee.prepare(statement))
            return statement.pointer
        } catch {
            throw shared.errors.error(error)
        }
    }
}
