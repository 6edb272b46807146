import SkiathosStore

/// The changes after the steps: removals, rebuilt tables, indexes and full-text search.
struct SchemaCompletion {
    /// The removals before the steps.
    private(set) var preparations: [SchemaChange] = []
    /// The changes, in order.
    private(set) var changes: [SchemaChange] = []
    /// The conditions on the rows.
    private(set) var conditions: [SchemaCondition] = []
    /// Messages about what prevents the changes.
    private(set) var blockers: [String] = []
    /// The tables that are rebuilt.
    private(set) var rebuilt: [String] = []

    private let drops: Set<String>
    private let leavesIndexes: Bool
    private var names: IndexNames

    /// - Parameters:
    ///   - found: The tables, with what was added.
    ///   - drops: What may be dropped: tables, and columns as `table.column`.
    ///   - orphans: The missing tables whose search index still exists.
    ///   - taken: The names of all objects of the file.
    ///   - leavesIndexes: Whether indexes that are not unique stay as they are.
    init(
        _ found: [TableInfo], _ expected: [TableLayout], drops: Set<String>, orphans: [String],
        taken: [String], leavesIndexes: Bool
    ) {
        self.drops = drops
        self.leavesIndexes = leavesIndexes
        names = IndexNames(taken: expected.map(\.name) + found.map(\.name) + taken)
        let byName = Dictionary(found.map { ($0.name, $0) }) { first, _ in first }
        for table in expected {
            if let present = byName[table.name] { rebuild(present, table) }
        }
        for table in orphans {
            changes.append(
                SchemaChange(
                    "drop the search index of \(SQLText.quote(table)), which no longer exists",
                    SearchIndex.removals(of: table)))
        }
        let wanted = Set(expected.map(\.name))
        for table in found where !wanted.contains(table.name) { drop(table, expected) }
        for table in expected {
            if let present = byName[table.name] { complete(present, table) }
        }
    }

    private mutating func drop(_ table: TableInfo, _ expected: [TableLayout]) {
        let name = SQLText.quote(table.name)
        guard drops.contains(table.name) else {
            let heir = expected.first { $0.formerNames.names(table.name) }
            if let heir { return blockers.append(Self.advice(on: table.name, takenBy: heir.name)) }
            blockers.append(
                "The file has a table \(name) that no entity has. Say which entity it has become with renamedFrom, or let a step drop \(StoreValue.quoted(table.name))."
            )
            return
        }
        changes.append(
            SchemaChange(
                "drop table \(name)", table.searchRemovals + ["DROP TABLE IF EXISTS \(name)"],
                losesData: true))
    }

    private static func advice(on table: String, takenBy heir: String) -> String {
        """
        The file has the table \(SQLText.quote(heir)) and its former name \(SQLText.quote(table)) beside \
        it, so \(SQLText.quote(table)) is not renamed. Let a step take over the rows that are to stay: \
        Migration("\(table) becomes \(heir)", drops: ["\(table)"], changes: ["\(heir)"]), which deletes \
        those of \(SQLText.quote(heir)) and transforms those of \(SQLText.quote(table)).
        """
    }

    private mutating func rebuild(_ found: TableInfo, _ expected: TableLayout) {
        let comparison = TableComparison(found, expected, drops: drops)
        blockers += comparison.blockers
        conditions += comparison.conditions
        guard !comparison.reasons.isEmpty else { return }
        rebuilt.append(expected.name)
        changes.append(
            SchemaChange(
                "rebuild \(SQLText.quote(expected.name)): \(comparison.reasons.joined(separator: "; "))",
                TableRebuild(found: found, expected: expected).statements,
                losesData: comparison.losesData))
    }

    /// Indexes and searching.
    private mutating func complete(_ found: TableInfo, _ expected: TableLayout) {
        let isRebuilt = rebuilt.contains(expected.name)
        let table = SQLText.quote(expected.name)
        for index in found.indexes
        where index.isOwn(of: expected.name) && !expected.asks(for: index)
            && (index.isUnique || !leavesIndexes)
        {
            // The rebuilt table has lost it already.
            let statements = isRebuilt ? [] : ["DROP INDEX \(SQLText.quote(index.name))"]
            changes.append(
                SchemaChange(
                    "drop the index on \(SchemaChange.list(index.columns.map(\.name))) of \(table)",
                    statements)
            )
        }
        let kept = found.indexes.map { ($0.isUnique, $0.columns) }
        for columns in expected.uniqueKeys where !kept.contains(where: { $0 == (true, columns) }) {
            let list = columns.map(\.name)
            conditions.append(.unique(table: expected.name, columns: list))
            let creation = expected.indexCreation(on: columns, isUnique: true, &names)
            changes.append(
                SchemaChange(
                    "make \(SchemaChange.list(list)) of \(table) unique", [creation]))
        }
        for columns in expected.indexes
        where !leavesIndexes && !kept.contains(where: { $0 == (false, columns) }) {
            let creation = expected.indexCreation(on: columns, isUnique: false, &names)
            changes.append(
                SchemaChange(
                    "add an index on \(SchemaChange.list(columns.map(\.name))) to \(table)",
                    [creation])
            )
        }
        completeSearch(found, expected, isRebuilt: isRebuilt)
    }

    private mutating func completeSearch(
        _ found: TableInfo, _ expected: TableLayout, isRebuilt: Bool
    ) {
        let table = SQLText.quote(expected.name)
        var searched = found.columnsOnly.searchable
        if !searched.isEmpty, isRebuilt || searched != expected.searchable {
            let isOver = expected.searchable.isEmpty
            preparations.append(
                SchemaChange(
                    "drop the search index of \(table)\(isOver ? "" : ", to rebuild it")",
                    found.searchRemovals))
            searched = []
        }
        guard let index = expected.searchIndex, searched.isEmpty else { return }
        changes.append(
            SchemaChange(
                "add a search index on \(SchemaChange.list(expected.searchable)) to \(table)",
                index.creations + index.fillings))
    }
}
