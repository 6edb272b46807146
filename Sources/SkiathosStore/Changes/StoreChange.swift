/// One step of bringing a unit of work to the store.
///
/// Steps are carried out in the order given.
public enum StoreChange {
    /// Adds rows: all columns of the entity, in order.
    case insert(entity: Int, any RowSource)
    /// Changes some columns of rows: these columns in ascending order, then the ID.
    case update(entity: Int, columns: ColumnSet, any RowSource)
    /// Deletes rows: the ID.
    case delete(entity: Int, any RowSource)
    /// Remembers that integer IDs up to a limit may have been handed out, so that none is handed
    /// out again after the store was closed.
    case reserveIDs(entity: Int, upTo: Int64)
}

/// Rows on their way to the store, bound straight from the objects that hold them.
///
/// A backend chooses between two ways. Rows are always sent; those that are many can be lent as
/// well, so that one statement takes them all:
///
/// ```swift
/// try rows.sendRows(to: &sink)                    // INSERT … VALUES (?, …), for each row
/// try rows.lendRows { try store(every: $0) }      // INSERT … SELECT … FROM the rows
/// ```
public protocol RowSource {
    /// How many rows can be lent: all, or 0 if they can only be sent. Has a default that says 0.
    var lendableCount: Int { get }

    /// Binds and sends every row. A backend may ask for them more than once.
    func sendRows(to sink: inout RowSink) throws
    /// Binds the ID alone and sends it, for every row.
    func sendIDs(to sink: inout RowSink) throws

    /// Lends the same rows to a closure. Called only if ``lendableCount`` is not 0, and then no ID
    /// occurs twice.
    func lendRows(to body: (LentRows) throws -> Void) throws
    /// Lends the IDs alone, likewise.
    func lendIDs(to body: (LentRows) throws -> Void) throws
}

extension RowSource {
    /// None.
    public var lendableCount: Int { 0 }
    /// Does nothing, as there is nothing to lend.
    public func lendRows(to body: (LentRows) throws -> Void) throws {}
    /// Does nothing, as there is nothing to lend.
    public func lendIDs(to body: (LentRows) throws -> Void) throws {}
}

/// A change to all rows that a condition names.
///
/// A computed value that the column cannot hold, by its ``ColumnSchema/domain``, fails the change with
/// the code `invalidValue`, and no row is changed.
public struct StoreAssignment: Sendable, Hashable {
    /// What happens to the column.
    public enum Operation: Sendable, Hashable {
        /// It takes what is computed from the row as it was.
        case set(StoreExpression)
        /// This number is added to it; no value stays no value.
        case add(StoreValue)
    }

    /// The position of the column.
    public var column: Int
    /// What happens to it.
    public var operation: Operation

    /// Makes an assignment.
    public init(column: Int, _ operation: Operation) {
        self.column = column
        self.operation = operation
    }
}
