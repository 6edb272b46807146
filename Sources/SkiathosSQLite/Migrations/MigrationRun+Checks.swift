import GRDB
import SkiathosStore

extension MigrationRun {
    /// The number of rows of every table that is not the store's own.
    func rowCounts() throws -> [String: Int] {
        let names = try connection.strings(
            """
            SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'
            AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE 'skiathos\\_%' ESCAPE '\\'
            """)
        return try Dictionary(
            uniqueKeysWithValues: names.map { name in
                (name, try connection.integer("SELECT count(*) FROM \(SQLText.quote(name))"))
            })
    }

    /// Throws unless the rows of tables can be read: a rebuilt table is sound, whatever it has lost.
    func checkSoundness(of tables: [String]) throws {
        for table in tables {
            let name = SQLText.quote(table)
            let count = try connection.integer("SELECT count(*) FROM \(name)")
            func report(_ rowsDone: Int) {
                options.migrationProgress?(
                    MigrationProgress(
                        step: "checking", table: table, rowsDone: rowsDone, rowCount: count))
            }
            report(0)
            let rows = try connection.strings("PRAGMA quick_check(\(name))")
            let problems = FileCheck.problems(rows)
            guard problems.isEmpty else {
                throw StoreError(
                    .damaged,
                    "The table \(name) is to be changed, and is not sound: \(problems.joined(separator: " ")) Restore a backup. The file was left as it was.",
                    entity: table)
            }
            report(count)
        }
    }

    /// Throws unless tables have kept their rows.
    func compare(
        _ before: [String: Int], _ after: [String: Int], except: Set<String>, _ cause: String
    ) throws {
        for (table, count) in before.sorted(by: { $0.key < $1.key }) where !except.contains(table) {
            // A table that was dropped was declared to be.
            guard let now = after[table], now != count else { continue }
            throw StoreError(
                .migrationFailed,
                "\(SQLText.quote(table)) has \(now) rows after \(cause), and had \(count) before. Name the table among the changes of the step, if that is meant.",
                entity: table)
        }
    }

    /// Throws unless the rows meet the conditions of the final form.
    func check(_ conditions: [SchemaCondition], _ tables: [TableInfo]) throws {
        let found = Dictionary(tables.map { ($0.name, $0) }) { first, _ in first }
        var problems: [String] = []
        for condition in conditions {
            let sql = condition.violations {
                found[$0]?.name
            } column: { table, column in
                guard let names = found[table]?.columnNames else { return nil }
                let converted = TableRebuild.prefix + column
                if names.contains(converted) { return converted }
                return names.contains(column) ? column : nil
            }
            guard let sql else { continue }
            let count = try connection.integer(sql)
            if count > 0 { problems.append(condition.description(of: count)) }
        }
        guard problems.isEmpty else {
            throw StoreError(.migrationFailed, problems.joined(separator: " "))
        }
    }

    /// Compiles the users' triggers of rebuilt tables, which may name removed columns.
    func checkTriggers(of tables: [String]) throws {
        let found = try SchemaSnapshot.introspect(connection.database).tables
        for table in found where tables.contains(table.name) && !table.triggers.isEmpty {
            let name = SQLText.quote(table.name)
            let columns = table.columnsOnly.columns.map { SQLText.quote($0.name) }
            let assignments = columns.map { "\($0) = \($0)" }.joined(separator: ", ")
            for statement in [
                "INSERT INTO \(name) DEFAULT VALUES", "UPDATE \(name) SET \(assignments)",
                "DELETE FROM \(name)",
            ] {
                do {
                    try connection.run("EXPLAIN \(statement)")
                } catch let error as StoreError where error.code == .backend {
                    throw StoreError(
                        .migrationFailed,
                        "A trigger of \(name) that was made outside of the entities does not fit the table any more. Let a step drop or change it.",
                        entity: table.name, cause: error)
                }
            }
        }
    }

    /// Verifies, before the commit, the store's integrity and that its schema matches the
    /// entities.
    func check() throws {
        var problems: [String] = try brokenReferences()
        problems += FileCheck.problems(try connection.strings("PRAGMA quick_check"))
        let plan = try planner.plan(
            try SchemaSnapshot.introspect(connection.database), in: connection.database)
        problems += plan.blockers
        problems += plan.changes.map { "This is left to do: \($0.description)." }
        guard problems.isEmpty else {
            throw StoreError(.migrationFailed, problems.joined(separator: " "))
        }
    }

    /// Messages about dangling references.
    func brokenReferences() throws -> [String] {
        var problems: [String] = []
        try connection.run(
            """
            SELECT "table", "parent", count(*) FROM pragma_foreign_key_check
            GROUP BY "table", "parent" ORDER BY "table", "parent"
            """
        ) { row in
            let values = StoreValue.values(of: row)
            guard case .text(let table) = values[0], case .text(let target) = values[1],
                case .integer(let count) = values[2]
            else { return }
            problems.append(
                "\(count) rows of \(SQLText.quote(table)) refer to rows of \(SQLText.quote(target)) that are not there."
            )
        }
        return problems
    }
}
