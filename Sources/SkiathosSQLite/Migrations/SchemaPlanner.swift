import GRDB
import SkiathosStore

/// Compares a file with the entities, and plans the changes between them.
struct SchemaPlanner {
    /// The tables of the entities.
    let expected: [TableLayout]
    /// All steps, the oldest first.
    let migrations: [StoreMigration]
    /// The objects that the file may hold beside the tables of the entities.
    let objects: AllowedObjects
    let schema: StoreSchema
    let layout: ProgramLayout

    init(
        _ schema: StoreSchema, _ migrations: [StoreMigration], declaredObjects: Set<String>
    ) throws {
        self.schema = schema
        layout = try ProgramLayout(schema)
        objects = AllowedObjects(schema, declared: declaredObjects)
        expected = TableLayout.entities(of: schema)
        self.migrations = migrations
    }

    /// Makes the plan, reading the file without changing it.
    func plan(_ contents: SchemaSnapshot, in database: Database) throws -> SchemaPlan {
        var plan = SchemaPlan()
        plan.steps = migrations.filter { !contents.appliedSteps.contains($0.name) }
        plan.missingBookkeeping = contents.missingBookkeeping
        let history = LayoutHistory(contents.layouts, of: layout)
        let leavesIndexes = history.leavesIndexes && plan.steps.isEmpty
        plan.notesLayout =
            contents.layouts.last?.fingerprint != layout.fingerprint && !leavesIndexes
        plan.replacedLayout = history.replaced
        plan.isOfVersion1 = contents.isOfVersion1
        checkBookkeeping(contents, &plan)
        plan.blockers += objects.problems(among: contents.foreignObjects)
        plan.blockers += lost(contents.tables, history, dropped: Set(plan.steps.flatMap(\.drops)))

        let renames = SchemaRenames(contents.tables, expected)
        plan.renames = renames.changes
        let converts = Set(plan.steps.flatMap(\.converts))
        let additions = SchemaAdditions(renames.tables, expected, converts: converts)
        plan.additions = additions.changes
        let completion = completion(
            of: additions.tables, plan.steps, contents, leavesIndexes: leavesIndexes)
        plan.preparations = completion.preparations
        plan.completions = completion.changes
        plan.blockers += completion.blockers
        let used = plan.steps.flatMap { $0.changes + $0.converts + $0.drops }
            .map { String($0.prefix { $0 != "." }) }
        plan.readTables = Set((completion.rebuilt + used).map { renames.origins[$0]?.table ?? $0 })
            .intersection(contents.tables.map(\.name)).sorted()
        checkSpelling(renames.tables, &plan)
        checkNames(contents, renames, &plan)
        plan.kindChanges = kindChanges(history, renames)
        for condition in additions.conditions + completion.conditions
        where plan.steps.isEmpty || condition.isFinal {
            let count = try violations(of: condition, renames, in: database)
            if count > 0 { plan.blockers.append(condition.description(of: count)) }
        }
        plan.newer = newer(contents, plan, history)
        return plan
    }

    /// Descriptions of the differences between a file's tables and the entities.
    func differences(in database: Database) throws -> [String] {
        try plan(try SchemaSnapshot.introspect(database), in: database).differences
    }

    /// The changes after the additions and the steps.
    func completion(
        of tables: [TableInfo], _ steps: [StoreMigration], _ contents: SchemaSnapshot,
        leavesIndexes: Bool = false
    ) -> SchemaCompletion {
        SchemaCompletion(
            tables, expected, drops: Set(steps.flatMap(\.drops)),
            orphans: contents.orphanedSearches, taken: Array(contents.objects.keys),
            leavesIndexes: leavesIndexes)
    }

    /// Tables and columns that the file has had and that the entities ask for, but that another program has
    /// removed.
    ///
    /// Creating them again would give empty ones.
    private func lost(
        _ found: [TableInfo], _ history: LayoutHistory, dropped: Set<String>
    ) -> [String] {
        guard let present = history.present else { return [] }
        var problems: [String] = []
        func note(_ what: String, _ name: String) {
            guard !dropped.contains(name) else { return }
            problems.append(
                "\(what) is missing, though the store has had it: another program has removed it, with what it held. Restore a backup, or name \"\(name)\" among the drops of a step, after which it is made anew without content."
            )
        }
        for entity in present.entities {
            guard let table = expected.first(where: { $0.name == entity.name }) else { continue }
            let name = SQLText.quote(table.name)
            guard let present = found.first(where: { $0.name == table.name }) else {
                note("The table \(name)", table.name)
                continue
            }
            let columns = Set(table.columns.map(\.name))
            for property in entity.properties where columns.contains(property.name) {
                guard !present.columnNames.contains(property.name) else { continue }
                note(
                    "The column \(name).\(SQLText.quote(property.name))",
                    "\(table.name).\(property.name)")
            }
        }
        return problems
    }

    /// The columns that are stored as before and hold values of another kind now.
    private func kindChanges(_ history: LayoutHistory, _ renames: SchemaRenames) -> [KindChange] {
        guard !history.isPresent, let present = history.present else { return [] }
        return KindChange.all(from: present, to: schema, renames.origins) { table, column in
            func type(in layout: TableLayout?) -> String? {
                layout?.columns.first { $0.name == column }?.type
            }
            let found = renames.tables.first { $0.name == table }?.columnsOnly
            let wanted = expected.first { $0.name == table }
            return type(in: found) == type(in: wanted)
        }
    }

    /// The objects that only a newer program can have made in the file.
    private func newer(
        _ contents: SchemaSnapshot, _ plan: SchemaPlan, _ history: LayoutHistory
    ) -> String? {
        let unknown = contents.appliedSteps.subtracting(migrations.map(\.name)).sorted()
        if !unknown.isEmpty {
            let names = unknown.map { "\"\($0)\"" }.joined(separator: ", ")
            return "It has been through \(names), which this program does not know."
        }
        // Going back to an earlier layout deliberately requires a step.
        guard plan.steps.isEmpty, history.isEarlier, !history.leavesIndexes,
            history.present != nil || !plan.isEmpty
        else { return nil }
        return
            "It has had the tables that this program asks for, and was changed to others since."
    }

    private func checkBookkeeping(_ contents: SchemaSnapshot, _ plan: inout SchemaPlan) {
        for table in contents.bookkeeping {
            let wanted = TableLayout.bookkeeping.first { $0.name == table.name }
            guard let wanted, !wanted.hasSameTable(as: table.layout),
                !TableLayout.layoutsOfVersion1.hasSameTable(as: table.layout)
            else { continue }
            plan.blockers.append(
                "The store's own table \(SQLText.quote(table.name)) has another form than this version of the package gives it. Restore a backup, or use the version that made it."
            )
        }
    }

    /// Tables share their names with indexes and views, which are not moved for them.
    private func checkNames(
        _ contents: SchemaSnapshot, _ renames: SchemaRenames, _ plan: inout SchemaPlan
    ) {
        let tables = Set(contents.tables.map { $0.name.lowercased() })
        let indexes = Set(renames.tables.flatMap(\.indexes).map { $0.name.lowercased() })
        for table in expected where !tables.contains(table.name.lowercased()) {
            let name = table.name.lowercased()
            guard let type = contents.objects[name], type != "index" || indexes.contains(name)
            else { continue }
            let kind = type == "table" ? "table of another kind" : type
            plan.blockers.append(
                "The file has a \(kind) by the name \(SQLText.quote(table.name)), which is the name of an entity's table. Remove it with the program that made it, or give the entity another table."
            )
        }
    }

    /// SQLite does not tell upper from lower case in names, so both cannot be there.
    private func checkSpelling(_ tables: [TableInfo], _ plan: inout SchemaPlan) {
        for table in expected {
            for found in tables where found.name.lowercased() == table.name.lowercased() {
                if found.name != table.name {
                    plan.blockers.append(
                        "The table \(SQLText.quote(found.name)) differs from \(SQLText.quote(table.name)) only by upper and lower case, which SQLite does not tell apart. Keep the old spelling with @Entity(table:), or name it with renamedFrom."
                    )
                    continue
                }
                let names = Dictionary(
                    found.columnsOnly.columns.map { ($0.name.lowercased(), $0.name) },
                    uniquingKeysWith: { first, _ in first })
                for column in table.columns {
                    guard let other = names[column.name.lowercased()], other != column.name else {
                        continue
                    }
                    plan.blockers.append(
                        "The column \(SQLText.quote(table.name)).\(SQLText.quote(other)) differs from \(SQLText.quote(column.name)) only by upper and lower case, which SQLite does not tell apart. Keep the old spelling, or name it with @Renamed(from:)."
                    )
                }
            }
        }
    }

    private func violations(
        of condition: SchemaCondition, _ renames: SchemaRenames, in database: Database
    ) throws -> Int {
        let found = Dictionary(renames.tables.map { ($0.name, $0) }) { first, _ in first }
        let sql = condition.violations { table in
            renames.origins[table]?.table
        } column: { table, column in
            guard found[table]?.columnNames.contains(column) == true else { return nil }
            return renames.origins[table]?.columns[column] ?? column
        }
        guard let sql else { return 0 }
        return try Int.fetchOne(database, sql: sql) ?? 0
    }
}
