/// A named step from an older schema to the current one, as a backend sees it.
public struct StoreMigration: Sendable {
    /// The name, by which a store records that the step was applied.
    public var name: String
    /// The tables, and the columns as `table.column`, that may be dropped after all steps.
    public var drops: [String]
    /// The columns, as `table.column`, whose type changes; the step fills them.
    public var converts: [String]
    /// The tables whose number of rows the step may change.
    public var changes: [String]
    /// The work of the step.
    public var body: @Sendable (any StoreMigrationSession) throws -> Void

    /// Makes a step.
    public init(
        _ name: String, drops: [String] = [], converts: [String] = [], changes: [String] = [],
        body: @escaping @Sendable (any StoreMigrationSession) throws -> Void = { _ in }
    ) {
        self.name = name
        self.drops = drops
        self.converts = converts
        self.changes = changes
        self.body = body
    }
}

/// The session that a backend provides for a step of a migration.
///
/// It runs inside the transaction of the whole migration, after tables and columns were
/// renamed and added and before any is dropped. Valid only inside the closure that it was
/// passed to.
public protocol StoreMigrationSession: AnyObject {
    /// The entities.
    var schema: StoreSchema { get }
    /// The names of the columns of a table or view as they are now, or `nil` if there is none of
    /// that name.
    func columns(of table: String) throws -> [String]?
    /// Executes one statement in the language of the backend, and returns how many rows it has
    /// changed.
    func execute(_ statement: String, _ values: [StoreValue]) throws -> Int
    /// Passes the rows of one query in the language of the backend to a closure.
    func rows(_ query: String, _ values: [StoreValue], _ body: (OldRow) throws -> Void) throws
    /// Passes all rows to a closure, and stores its changes of each.
    ///
    /// Of the rows of an entity only what has changed is stored, and the columns that the step
    /// converts. A column without a value gets the default after all steps, so that a later step
    /// still finds what the row holds; a value that the entity cannot read then is an error.
    ///
    /// - Parameters:
    ///   - table: The table to read from, whose rows are inserted into that of the entity (an ID of
    ///     `.null` is handed out by the store); `nil` for that of the entity, whose rows are changed.
    ///   - entity: The position of the entity.
    ///   - complete: Makes of what a row holds what the entity asks for, without the step. May be
    ///     called after the steps.
    ///   - body: Is called once for each row, with the row as it is, and with what it holds for each
    ///     column of the entity by now: what the steps so far have made. `nil` stands for a column
    ///     that the row lacks.
    func transform(
        from table: String?, into entity: Int,
        completing complete: @escaping ([StoreValue?]) throws -> TransformedRow,
        _ body: (OldRow, [StoreValue?]) throws -> TransformedRow
    ) throws
}

/// The progress of a step of a migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The name of the step; `checking` before the first one, for a table that is looked through for damage;
    /// or, as in `reading "mood"`, the column whose rows are read since its type has changed.
    public var step: String
    /// The table whose rows are walked through.
    public var table: String
    /// How many rows are done.
    public var rowsDone: Int
    /// How many rows there are.
    public var rowCount: Int

    /// Makes a report.
    public init(step: String, table: String, rowsDone: Int, rowCount: Int) {
        self.step = step
        self.table = table
        self.rowsDone = rowsDone
        self.rowCount = rowCount
    }
}
