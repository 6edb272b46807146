import GRDBSQLite
import SkiathosStore

/// Deletes rows one by one, each after the rows that are deleted with it.
///
/// SQLite follows a cascade by recursion: through 1,000 levels at most, and each level adds cursors that
/// it has to move at every change below. Here each row costs the same, and the memory is that of one path
/// from a row to the deepest one below it. A row is found by its reference, and is not there any more
/// when the next one is looked for, so that no list of rows is needed.
///
/// Not `Sendable`: used only by the holder of the connection.
struct DeepDeletion {
    /// A row of an entity.
    private struct Row: Hashable {
        let entity: Int
        let id: StoreValue
    }

    private let session: SQLiteSession
    /// From the row whose deletion was asked for to the one that is deleted next.
    private var path: [Row] = []
    private var onPath: Set<Row> = []

    init(_ session: SQLiteSession) { self.session = session }

    /// Deletes a row and all that is deleted with it; returns whether it was there.
    mutating func delete(_ id: StoreValue, of entity: Int) throws -> Bool {
        let isThere = try session.run(try session.statement(for: .find, entity), id, entity)
        guard isThere != nil else { return false }
        enter(Row(entity: entity, id: id))
        while let row = path.last {
            if try descend(from: row) { continue }
            _ = try session.run(try session.statement(for: .delete, row.entity), row.id, row.entity)
            onPath.remove(row)
            path.removeLast()
        }
        return true
    }

    /// Enters a row that refers to this one, if any is left; returns whether there was one.
    private mutating func descend(from row: Row) throws -> Bool {
        for reference in session.shared.cascades.references[row.entity] {
            let find = try session.statement(reference.find)
            guard let id = try session.run(find, row.id, reference.entity) else { continue }
            let other = Row(entity: reference.entity, id: id)
            if onPath.contains(other) {
                // A circle of references has no row to begin with.
                let unlink = try session.statement(reference.unlink)
                _ = try session.run(unlink, id, reference.entity)
            } else {
                enter(other)
            }
            return true
        }
        return false
    }

    private mutating func enter(_ row: Row) {
        path.append(row)
        onPath.insert(row)
    }
}

extension SQLiteSession {
    /// Runs a statement about an ID; returns the first column of its first row.
    fileprivate func run(
        _ statement: PreparedStatement, _ id: StoreValue, _ entity: Int
    ) throws -> StoreValue? {
        try statement.use { statement in
            try bind([id], to: statement, entity: entity)
            let code = sqlite3_step(statement.pointer)
            try check(code, entity: entity)
            return code == SQLITE_ROW ? StoreValue(statement.pointer, column: 0) : nil
        }
    }
}
