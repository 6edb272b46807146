import SkiathosStore

/// A named step from an older schema to the present one, for changes that are not automatic.
///
/// ```swift
/// configuration.migrations = [
///     Migration("split names", drops: ["user.name"]) { step in
///         try step.transform(User.self) { old, user in
///             let parts = try old["name", as: String.self].split(separator: " ", maxSplits: 1)
///             user.firstname = parts.first.map(String.init) ?? ""
///             user.lastname = parts.count > 1 ? String(parts[1]) : ""
///         }
///     }
/// ]
/// ```
///
/// A store records the names of the steps that it has been through, and each is run once. All
/// steps that it lacks run in their order, inside the one transaction of the whole change:
/// tables and columns were renamed and added by then, and none is dropped before the last step
/// is done. So a step sees old and new columns side by side.
///
/// A store that is created again counts all steps as done. A name must never be removed from the
/// list while stores may have it, since a store with an unknown name counts as newer than the
/// program; `Migration("old name")`, without a closure, is enough.
public struct Migration: Sendable {
    /// The name, which no other step has and which never changes.
    public let name: String
    /// The tables, and the columns as `table.column`, that may be dropped with their data.
    public let drops: [String]
    /// The columns, as `table.column`, whose type changes.
    public let converts: [String]
    /// The tables whose number of rows the step may change.
    public let changes: [String]
    let body: @Sendable (MigrationContext) throws -> Void

    /// Creates a step.
    ///
    /// - Parameters:
    ///   - name: A name that no other step has. It is never changed once the step may have run.
    ///   - drops: What may be dropped: tables, and columns as `table.column`, by their present
    ///     names. They exist while the steps run.
    ///   - converts: The columns whose type changes, as `table.column`. The step sets the new
    ///     value in every row: with `transform`, or in SQL in the column `skiathos_new_`
    ///     followed by the name of the column.
    ///   - changes: The tables of which the step deletes or inserts rows. That of an entity that is
    ///     transformed into from another table needs no mention.
    ///   - body: Runs at most once for each opening. It may be run again if the transaction is
    ///     rolled back.
    public init(
        _ name: String, drops: [String] = [], converts: [String] = [], changes: [String] = [],
        _ body: @escaping @Sendable (MigrationContext) throws -> Void = { _ in }
    ) {
        self.name = name
        self.drops = drops
        self.converts = converts
        self.changes = changes
        self.body = body
    }

    /// The step as the backend sees it.
    var storeMigration: StoreMigration {
        StoreMigration(name, drops: drops, converts: converts, changes: changes) { [body] session in
            let context = MigrationContext(session)
            defer { context.end() }
            try body(context)
        }
    }
}
