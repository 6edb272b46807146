/// What ``StoreWriteSession/insertAlone(_:into:)`` has done with a row.
public enum LoneInsertion {
    /// The row is in the transaction, and all of its references lead to rows.
    case inserted
    /// The row was refused with this error, and the transaction holds what it held before.
    case refused(any Error)
    /// The session cannot undo such a row without a savepoint. It has done nothing.
    case notOffered
}
