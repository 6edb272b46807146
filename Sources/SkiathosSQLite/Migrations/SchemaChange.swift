import SkiathosStore

/// One change of the schema that is made by statements alone.
struct SchemaChange: Sendable {
    /// A description of the change.
    var description: String
    /// The statements, in order.
    var statements: [String]
    /// Whether data is lost.
    var losesData = false

    init(_ description: String, _ statements: [String], losesData: Bool = false) {
        self.description = description
        self.statements = statements
        self.losesData = losesData
    }

    /// The change as users see it.
    var planned: MigrationPlan.Change {
        MigrationPlan.Change(description, statements: statements, losesData: losesData)
    }

    static func quote(_ name: String) -> String { SQLText.quote(name) }

    static func list(_ columns: [String]) -> String {
        columns.map(SQLText.quote).joined(separator: ", ")
    }
}

/// All changes that make a file match the entities.
struct SchemaPlan: Sendable {
    /// Renames of tables and columns to their current names.
    var renames: [SchemaChange] = []
    /// Removals before the steps, of objects that would prevent them or slow them down.
    var preparations: [SchemaChange] = []
    /// New tables and columns, beside the old ones.
    var additions: [SchemaChange] = []
    /// The steps that the store has not been through.
    var steps: [StoreMigration] = []
    /// Removals, rebuilt tables, indexes and full-text search, as far as they are known before
    /// the steps.
    var completions: [SchemaChange] = []
    /// Messages about what prevents the plan.
    var blockers: [String] = []
    /// Changes by a newer program, if there are any.
    var newer: String?
    /// The tables of the store's own that are to be created.
    var missingBookkeeping: [TableLayout] = []
    /// Whether the layout is to be recorded.
    var notesLayout = false
    /// The record of a layout that the present one takes the place of.
    var replacedLayout: String?
    /// Whether the file has layout version 1.
    var isOfVersion1 = false
    /// The tables of the file whose rows are rebuilt or used by steps, and so must be sound.
    var readTables: [String] = []
    /// The columns whose values have to be read.
    var kindChanges: [KindChange] = []

    /// The changes that are reported to users.
    var changes: [SchemaChange] { renames + preparations + additions + completions }
    /// Whether the file matches the entities, apart from the store's own records.
    var isEmpty: Bool { changes.isEmpty && steps.isEmpty && blockers.isEmpty && newer == nil }
    /// Whether the file has to be written.
    var needsWriting: Bool {
        !isEmpty || !missingBookkeeping.isEmpty || notesLayout || isOfVersion1
    }

    /// Descriptions of the differences between the file and the entities.
    var differences: [String] {
        let lost = missingBookkeeping.map { "create table \(SQLText.quote($0.name))" }
        return lost + changes.map(\.description) + blockers
    }

    /// The plan as users see it.
    func published(source: String) -> MigrationPlan {
        let before = (renames + preparations + additions).map(\.planned)
        let steps = steps.map {
            MigrationPlan.Change(
                "run the step \"\($0.name)\"", losesData: false, step: $0.name)
        }
        return MigrationPlan(
            source: source, changes: before + steps + completions.map(\.planned),
            blockers: (newer.map { [$0] } ?? []) + blockers, isNewerStore: newer != nil)
    }

    /// The error that refuses a file, or `nil` if the plan can be run.
    func refusal(source: String) -> StoreError? {
        if let newer {
            return StoreError(
                .newerStore,
                "\(source) was changed by a newer version of the program: \(newer) Use that version; the file was left as it was."
            )
        }
        guard !blockers.isEmpty else { return nil }
        let plan = published(source: source).text(withStatements: false)
        return StoreError(
            .schemaMismatch,
            """
            The tables in \(source) are not those that the entities ask for, and cannot be \
            changed without a declared step. The file was left as it was.
            \(plan)
            """)
    }
}
