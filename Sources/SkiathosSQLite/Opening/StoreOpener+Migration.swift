import GRDB
import SkiathosStore

extension StoreOpener {
    /// The plan for a file, or `nil` if it is empty.
    ///
    /// - Parameter readingRows: Whether rows are read where the kind of a column has changed. Values
    ///   that the steps may still change are read after them.
    func plan(
        for database: Database, _ path: StorePath, readingRows: Bool = true
    ) throws -> SchemaPlan? {
        guard try FileFormat.content(of: database, file: path.file) == .store else { return nil }
        var plan = try SchemaPlanner(
            schema, options.migrations, declaredObjects: options.declaredObjects
        ).plan(
            try SchemaSnapshot.introspect(database), in: database)
        if readingRows, plan.steps.isEmpty, plan.newer == nil {
            let connection = MigrationConnection(
                database, shared.errors, isCancelled: options.isCancelled)
            plan.blockers += try plan.kindChanges.compactMap {
                try $0.problem(at: $0.source, on: connection, options.migrationProgress)
            }
        }
        return plan
    }

    /// Migrates a file to the schema of the entities.
    func migrate(_ database: Database, _ source: String) throws {
        let run = try migration(of: database, source, witness: onMigrationStatement)
        guard let recording = options.statements, let handle = database.sqliteConnection else {
            return try run.run()
        }
        let trace = StatementTrace(recording)
        trace.install(on: handle)
        defer {
            trace.uninstall(from: handle)
            // A migration changes the tables that its plans would be about.
            recording.migrated(trace.take { _ in [] })
        }
        try run.run()
    }

    private func migration(
        of database: Database, _ source: String, witness: MigrationConnection.Witness?
    ) throws -> MigrationRun {
        try MigrationRun(
            MigrationConnection(
                database, shared.errors, witness: witness, isCancelled: options.isCancelled),
            schema, options, source: source)
    }

    /// Plans what opening for writing would do, without changing anything.
    func plan() throws -> MigrationPlan {
        try check()
        guard let path = try existingPath() else { return creationPlan }
        return try translating {
            let queue = try settings("inspection", isReadOnly: true).open(path.file)
            let plan = Result { try queue.inDatabase { try self.plan(for: $0, path) } }
            try queue.close()
            return try plan.get()?.published(source: path.quotedFile) ?? creationPlan
        }
    }

    /// Runs the whole migration on a copy in a temporary file (a dry run), which SQLite
    /// removes itself.
    func rehearse() throws -> MigrationRehearsal {
        try check()
        guard let path = try existingPath() else { return MigrationRehearsal(plan: creationPlan) }
        return try translating {
            let original = try settings("original", isReadOnly: true).open(path.file)
            // An empty path makes a private temporary database on the disk.
            let copy = try settings("rehearsal", isReadOnly: false).open("")
            let report = Result {
                try original.backup(to: copy)
                return try copy.inDatabase { try rehearse($0, path) }
            }
            try original.close()
            try copy.close()
            return try report.get()
        }
    }

    private func rehearse(_ database: Database, _ path: StorePath) throws -> MigrationRehearsal {
        guard let plan = try plan(for: database, path) else {
            return MigrationRehearsal(plan: creationPlan)
        }
        let run = try migration(of: database, path.quotedFile, witness: nil)
        var report = MigrationRehearsal(plan: plan.published(source: path.quotedFile))
        let renames = SchemaRenames(
            try SchemaSnapshot.introspect(database).tables, run.planner.expected)
        let before = try run.rowCounts()
        let start = ContinuousClock.now
        do {
            try run.run()
        } catch let error as StoreError {
            report.failure = error
        } catch let error as CancellationError where options.isCancelled?() == true {
            throw error
        } catch {
            report.failure = StoreError(
                .migrationFailed, "A step has failed, and the migration was rolled back.",
                cause: error)
        }
        report.duration = start.duration(to: .now)
        let isDone = report.failure == nil
        let after = try run.rowCounts()
        let names = Set(isDone ? Array(renames.origins.keys) : Array(before.keys)).union(after.keys)
        report.tables = names.sorted().map { name in
            let origin = isDone ? renames.origins[name]?.table : name
            return MigrationRehearsal.Table(
                name: name, rowsBefore: origin.flatMap { before[$0] }, rowsAfter: after[name])
        }
        report.referenceProblems = try run.brokenReferences()
        report.integrityProblems = FileCheck.problems(
            try run.connection.strings("PRAGMA integrity_check"))
        return report
    }

    /// The checked path of an existing store; `nil` if there is none.
    private func existingPath() throws -> StorePath? {
        guard let file else { return nil }
        let path = try StorePath(file)
        let isThere = try SystemCalls.status(of: path.file) != nil
        return try path.check(forWriting: !isThere).hasContent ? path : nil
    }

    /// The plan for a store that does not exist yet.
    private var creationPlan: MigrationPlan {
        let tables = TableLayout.entities(of: schema)
        let changes = tables.map { table in
            MigrationPlan.Change(
                "create table \(SQLText.quote(table.name))",
                statements: TableLayout.creation(of: [table]))
        }
        let source = file.map { "\"\($0)\"" } ?? "The store in memory"
        return MigrationPlan(source: source, changes: changes, createsStore: true)
    }
}
