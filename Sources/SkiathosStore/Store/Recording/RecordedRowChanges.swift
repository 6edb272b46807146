/// The rows that were changed while a closure ran.
///
/// Applied in order to the rows of an entity that is not ``incomplete``, the changes give the rows
/// afterwards.
public struct RecordedRowChanges: Sendable, Hashable {
    /// Every change of every row of the entities that are not ``incomplete``, in the order in which
    /// they were made.
    ///
    /// A row that was changed twice is in it twice. What was rolled back is not in it.
    public var changes: [StoreRowChange]
    /// The positions of the entities whose rows may have changed without a trace.
    ///
    /// ``changes`` has none of their rows.
    public var incomplete: Set<Int>

    /// Makes a record.
    public init(_ changes: [StoreRowChange] = [], incomplete: Set<Int> = []) {
        self.changes = changes
        self.incomplete = incomplete
    }
}

extension StoreWriteSession {
    /// Runs the closure and returns `nil`: the backend does not record changes.
    public func recordingChanges(
        of entities: Set<Int>, limit: RecordingLimit, _ body: () throws -> Void
    ) throws -> RecordedRowChanges? {
        try body()
        return nil
    }
}
