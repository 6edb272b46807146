/// One step of flushing a unit of work to the store.
///
/// Steps are applied in the given order.
public enum StoreChange {
    /// Adds rows: all columns of the entity, in order.
    case insert(entity: Int, any RowSource)
    /// Changes some columns of rows: these columns in ascending order, then the ID.
    case update(entity: Int, columns: ColumnSet, any RowSource)
    /// Deletes rows: the ID.
    case delete(entity: Int, any RowSource)
    /// Records that integer IDs up to a limit may have been allocated.
    ///
    /// So none is allocated again after the store was closed.
    case reserveIDs(entity: Int, upTo: Int64)
}

/// Rows on their way to the store, bound straight from the objects that hold them.
///
/// A backend chooses between two ways. Rows can always be sent one by one. Many rows can also
/// be passed in bulk, so that one statement takes them all:
///
/// ```swift
/// try rows.sendRows(to: &sink)                    // INSERT … VALUES (?, …), for each row
/// try rows.lendRows { try store(every: $0) }      // INSERT … SELECT … FROM the rows
/// ```
public protocol RowSource {
    /// How many rows can be passed in bulk: all, or 0 if they can only be sent.
    ///
    /// Defaults to 0.
    var lendableCount: Int { get }

    /// Binds and sends every row.
    ///
    /// A backend may call this more than once.
    func sendRows(to sink: inout RowSink) throws
    /// Binds the ID alone and sends it, for every row.
    func sendIDs(to sink: inout RowSink) throws

    /// Passes the same rows in bulk to a closure.
    ///
    /// Called only if ``lendableCount`` is not 0, and then no ID occurs twice.
    func lendRows(to body: (LentRows) throws -> Void) throws
    /// Passes only the IDs in bulk, likewise.
    func lendIDs(to body: (LentRows) throws -> Void) throws
}

extension RowSource {
    /// None.
    public var lendableCount: Int { 0 }
    /// Has no effect: there are no bulk rows.
    public func lendRows(to body: (LentRows) throws -> Void) throws {}
    /// Has no effect: there are no bulk rows.
    public func lendIDs(to body: (LentRows) throws -> Void) throws {}
}

/// An assignment to a column of all rows that meet a condition.
///
/// A computed value that the column cannot hold, by its ``ColumnSchema/domain``, fails the change with
/// the code `invalidValue`, and no row is changed.
public struct StoreAssignment: Sendable, Hashable {
    /// A change of a column.
    public enum Operation: Sendable, Hashable {
        /// The column is set to an expression of the old row.
        case set(StoreExpression)
        /// This number is added to it; no value stays no value.
        case add(StoreValue)
    }

    /// The position of the column.
    public var column: Int
    /// The change of the column.
    public var operation: Operation

    /// Makes an assignment.
    public init(column: Int, _ operation: Operation) {
        self.column = column
        self.operation = operation
    }
}
