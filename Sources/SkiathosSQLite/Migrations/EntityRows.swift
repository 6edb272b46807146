import GRDB
import GRDBSQLite
import SkiathosStore

/// The rows of an entity during a migration, while new values of columns are beside the old ones.
///
/// Not `Sendable`: used on the queue of the migration's connection alone.
struct EntityRows {
    /// One row.
    struct Row {
        /// The row as a step sees it: without the temporary columns of the migration.
        let old: OldRow
        /// The current value for each column of the entity; `nil` if there is no such column.
        let present: [StoreValue?]
        /// The stored values in the target columns of the entity.
        let stored: [StoreValue?]
    }

    /// How many rows are in memory at once.
    static let pageSize = 256

    let entity: EntitySchema
    /// The target column for each column of the entity.
    let targets: [String]

    private let run: MigrationRun
    private let columns: [String]
    /// The positions of the columns that a step sees.
    private let visible: [Int]
    /// The position of each target.
    private let targetPositions: [Int?]
    /// The position of the old value of each column, as long as it stands in for the new one.
    private let oldPositions: [Int?]

    /// - Parameter columns: The names of the table's columns.
    init(_ entity: EntitySchema, columns: [String], in run: MigrationRun) {
        self.entity = entity
        self.columns = columns
        self.run = run
        visible = columns.indices.filter { !columns[$0].hasPrefix(TableRebuild.prefix) }
        targets = Self.targets(entity, columns)
        targetPositions = targets.map(columns.firstIndex)
        oldPositions = entity.columns.map { column in
            run.filledColumns.contains("\(entity.table).\(column.name)")
                ? nil : columns.firstIndex(of: column.name)
        }
    }

    /// The target columns for an entity's columns.
    static func targets(_ entity: EntitySchema, _ columns: [String]) -> [String] {
        entity.columns.map { column in
            let converted = TableRebuild.prefix + column.name
            return columns.contains(converted) ? converted : column.name
        }
    }

    /// Whether the table has all columns of the entity.
    var isComplete: Bool { !targetPositions.contains(nil) }

    /// Whether new values of a column are stored beside old ones.
    func isConverted(_ column: Int) -> Bool { targets[column] != entity.columns[column].name }

    /// Passes all rows to a closure, in pages and in the order of their IDs.
    func forEachPage(_ body: ([Row]) throws -> Void) throws {
        let (table, id) = (SQLText.quote(entity.table), SQLText.quote(entity.columns[0].name))
        var last: StoreValue?
        while true {
            let after = last == nil ? "" : " WHERE \(id) > ?"
            var page: [Row] = []
            try run.connection.run(
                """
                SELECT \(SchemaChange.list(columns)) FROM \(table)\(after) \
                ORDER BY \(id) LIMIT \(Self.pageSize)
                """, last.map { [$0] } ?? []
            ) { page.append(row(StoreValue.values(of: $0))) }
            if !page.isEmpty || last == nil { try body(page) }
            last = page.last?.old.storedValue(of: entity.columns[0].name)
            guard page.count == Self.pageSize else { return }
        }
    }

    private func row(_ values: [StoreValue]) -> Row {
        let stored = targetPositions.map { $0.map { values[$0] } }
        let present = stored.indices.map { column -> StoreValue? in
            guard isConverted(column), stored[column] == .null, let old = oldPositions[column]
            else { return stored[column] }
            return values[old]
        }
        return Row(
            old: OldRow(columns: visible.map { columns[$0] }, values: visible.map { values[$0] }),
            present: present, stored: stored)
    }

    /// Stores some columns of a row.
    func store(_ values: [StoreValue], _ changed: ColumnSet) throws {
        guard !changed.isEmpty else { return }
        let places = changed.map { targets[$0] }
        let assignments = places.map { "\(SQLText.quote($0)) = ?" }
        let sql = """
            UPDATE \(SQLText.quote(entity.table)) SET \(assignments.joined(separator: ", ")) \
            WHERE \(SQLText.quote(entity.columns[0].name)) = ?
            """
        let parameters = changed.map { values[$0] } + [values[0]]
        do {
            try run.connection.run(sql, parameters)
        } catch let error as StoreError where error.code == .uniqueViolation {
            // The values of other rows may be about to change too. The index is made again when the
            // steps are done, and values that are not unique are counted then.
            guard try run.dropUniqueIndexes(of: entity.table, on: places) else { throw error }
            try run.connection.run(sql, parameters)
        }
    }
}
