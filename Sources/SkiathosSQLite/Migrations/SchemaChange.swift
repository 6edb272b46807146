import SkiathosStore

/// One change of the schema that is made by statements alone.
struct SchemaChange: Sendable {
    /// What changes, in words.
    var words: String
    /// The statements, in order.
    var statements: [String]
    /// Whether data is given up.
    var losesData = false

    init(_ words: String, _ statements: [String], losesData: Bool = false) {
        self.words = words
        self.statements = statements
        self.losesData = losesData
    }

    /// The change as users see it.
    var planned: MigrationPlan.Change {
        MigrationPlan.Change(words, statements: statements, losesData: losesData)
    }

    static func quote(_ name: String) -> String { SQLText.quote(name) }

    static func list(_ columns: [String]) -> String {
        columns.map(SQLText.quote).joined(separator: ", ")
    }
}

/// Everything that has to be done with a file so that it fits the entities.
struct SchemaPlan: Sendable {
    /// Tables and columns get their present names.
    var renames: [SchemaChange] = []
    /// What would be in the way of the steps, or costs too much while they run.
    var preparations: [SchemaChange] = []
    /// New tables and columns, beside the old ones.
    var additions: [SchemaChange] = []
    /// The steps that the store has not been through.
    var steps: [StoreMigration] = []
    /// Removals, rebuilt tables, indexes and searching, as far as they can be told before the steps.
    var completions: [SchemaChange] = []
    /// Why it cannot be done, in sentences.
    var obstacles: [String] = []
    /// What a newer program has left in the file, if one has changed it.
    var newer: String?
    /// The tables of the store's own that are to be created.
    var missingBookkeeping: [TableLayout] = []
    /// Whether the layout is to be noted.
    var notesLayout = false

    /// The changes that users are told of.
    var changes: [SchemaChange] { renames + preparations + additions + completions }
    /// Whether the file is as the entities ask for, but for what the store notes for itself.
    var isEmpty: Bool { changes.isEmpty && steps.isEmpty && obstacles.isEmpty && newer == nil }
    /// Whether the file has to be written.
    var needsWriting: Bool { !isEmpty || !missingBookkeeping.isEmpty || notesLayout }

    /// The plan as users see it.
    func published(source: String) -> MigrationPlan {
        let before = (renames + preparations + additions).map(\.planned)
        let steps = steps.map {
            MigrationPlan.Change(
                "run the step \"\($0.name)\"", losesData: false, step: $0.name)
        }
        return MigrationPlan(
            source: source, changes: before + steps + completions.map(\.planned),
            obstacles: (newer.map { [$0] } ?? []) + obstacles, isNewerStore: newer != nil)
    }

    /// The error by which a file is refused, or `nil` if the plan can be carried out.
    func refusal(source: String) -> StoreError? {
        if let newer {
            return StoreError(
                .newerStore,
                "\(source) was changed by a newer version of the program: \(newer) Use that version; the file was left as it was."
            )
        }
        guard !obstacles.isEmpty else { return nil }
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
