import GRDB
import SkiathosStore

/// Runs a migration in one transaction, so that any interruption leaves the old store.
///
/// The order: renames; new tables and columns beside the old ones; the steps; removals and
/// rebuilt tables; indexes and full-text search; the store's own records; the checks.
///
/// Not `Sendable`: used on the queue of its connection alone.
final class MigrationRun {
    let connection: MigrationConnection
    let schema: StoreSchema
    let options: StoreOptions
    let planner: SchemaPlanner
    /// A description of the store.
    let source: String
    /// The columns, as `table.column`, whose new values the steps so far have given.
    ///
    /// From then on the old values are not used any more, also where the new one is empty.
    private(set) var filledColumns: Set<String> = []
    /// The remaining work on the rows of tables that steps have transformed.
    private(set) var completions: [String: RowCompletion] = [:]

    init(
        _ connection: MigrationConnection, _ schema: StoreSchema, _ options: StoreOptions,
        source: String
    ) throws {
        self.connection = connection
        self.schema = schema
        self.options = options
        self.source = source
        planner = try SchemaPlanner(
            schema, options.migrations, declaredObjects: options.declaredObjects)
    }

    /// Makes all changes, or none of them.
    func run() throws {
        // Neither setting has an effect inside a transaction, nor should last after it.
        try connection.run("PRAGMA foreign_keys = OFF")
        try connection.run("PRAGMA legacy_alter_table = OFF")
        do {
            try connection.run("BEGIN IMMEDIATE")
            try migrate()
            try commit()
        } catch {
            // SQLite rolls the transaction back by itself after some failures.
            if connection.isInTransaction { try? connection.database.execute(sql: "ROLLBACK") }
            try? connection.database.execute(
                sql: "PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON")
            throw error
        }
        try connection.run("PRAGMA foreign_keys = ON")
    }

    private func commit() throws {
        do {
            try connection.run("COMMIT")
        } catch var error as StoreError where error.isStorageFailure {
            // The last page may still have been written.
            error.outcome = .unknown
            throw error
        }
    }

    private func migrate() throws {
        let contents = try SchemaSnapshot.introspect(connection.database)
        let plan = try planner.plan(contents, in: connection.database)
        if let refusal = plan.refusal(source: source) { throw refusal }
        for table in plan.missingBookkeeping { try connection.run(table.tableCreation) }
        if plan.isOfVersion1 { try FileFormat.upgrade { try connection.run($0) } }
        if !plan.isEmpty { try change(plan) }
        try record(plan)
        try FileFormat.renewMark(in: connection.database)
        if !plan.isEmpty { try check() }
    }

    private func change(_ plan: SchemaPlan) throws {
        try checkSoundness(of: plan.readTables)
        try apply(plan.renames)
        let counts = try rowCounts()
        try apply(plan.preparations)
        try apply(plan.additions)
        var mayChange = Set(plan.steps.flatMap { $0.changes + $0.drops })
        for step in plan.steps { mayChange.formUnion(try runStep(step)) }
        try completeRows()
        if !plan.steps.isEmpty { try readKinds(plan.kindChanges) }
        let between = try rowCounts()
        try compare(counts, between, except: mayChange, "the steps")
        try complete(plan.steps)
        try compare(between, try rowCounts(), except: [], "rebuilding")
    }

    private func apply(_ changes: [SchemaChange]) throws {
        for statement in changes.flatMap(\.statements) { try connection.run(statement) }
    }

    /// Runs a step, and returns the tables that it has inserted rows into.
    private func runStep(_ step: StoreMigration) throws -> Set<String> {
        let session = MigrationSession(self, step: step)
        try step.body(session)
        guard connection.isInTransaction else {
            throw StoreError(
                .migrationFailed,
                "The step \"\(step.name)\" has ended the transaction. Steps must not: all of them succeed or fail together."
            )
        }
        recordFilled(step.converts)
        return session.filledTables
    }

    /// Records that columns have their new values.
    func recordFilled(_ columns: [String]) { filledColumns.formUnion(columns) }

    /// Records the columns in which transformed rows have no value of the entity's type.
    func recordTransformation(
        of entity: EntitySchema, defaulted: ColumnSet,
        _ complete: @escaping ([StoreValue?]) throws -> TransformedRow
    ) {
        let known = completions[entity.table]?.columns ?? ColumnSet()
        completions[entity.table] = RowCompletion(
            columns: known.union(defaulted), complete: complete)
    }

    /// Changes the tables to their final form after the steps.
    private func complete(_ steps: [StoreMigration]) throws {
        let contents = try SchemaSnapshot.introspect(connection.database)
        let tables = contents.tables
        let completion = planner.completion(of: tables, steps, contents)
        guard completion.blockers.isEmpty else {
            throw StoreError(
                .migrationFailed,
                "After the steps \(source) still does not fit: \(completion.blockers.joined(separator: " "))"
            )
        }
        try check(completion.conditions, tables)
        try apply(completion.preparations)
        // References already use the final name of the rebuilt table, and views may miss it
        // for a moment (sqlite.org/lang_altertable.html, section 2).
        try connection.run("PRAGMA legacy_alter_table = ON")
        try apply(completion.changes)
        try connection.run("PRAGMA legacy_alter_table = OFF")
        try checkTriggers(of: completion.rebuilt)
    }

    private func record(_ plan: SchemaPlan) throws {
        try Self.record(plan.steps) { try connection.run($0, $1) }
        guard plan.notesLayout else { return }
        try planner.layout.record(replacing: plan.replacedLayout) { try connection.run($0, $1) }
        // Changes the number of the schema, also where no table has changed: a store that is open for
        // reading looks at the layouts when it finds another number; see ReadSchema.
        try connection.run("CREATE TABLE \"skiathos_changed\" (\"a\")")
        try connection.run("DROP TABLE \"skiathos_changed\"")
    }

    /// Records the steps.
    static func record(
        _ steps: [StoreMigration], _ run: (String, [StoreValue]) throws -> Void
    ) throws {
        for step in steps {
            try run(
                """
                INSERT INTO "skiathos_migration" ("name", "applied") \
                VALUES (?, strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))
                """, [.text(step.name)])
        }
    }
}
