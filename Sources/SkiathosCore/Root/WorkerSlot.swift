/// The worker context that the writes of a store use one after the other.
final class WorkerSlot: @unchecked Sendable {
    // Sendable: `context` is touched only by the holder of the write permit, and so is what it
    // holds. Other fields are constants.

    private let environment: WriteTransaction.Environment
    /// The context of the last write, unless other code has kept a reference to it; `nil` during a
    /// write.
    @exclusivity(unchecked) private var context: WriteContext?

    init(_ environment: WriteTransaction.Environment) { self.environment = environment }

    /// Runs a closure with the context, for one write; the caller has the permit.
    ///
    /// - Parameter isMerged: Whether the write returns before its commit.
    @inline(__always)
    func write(
        _ interruption: Interruption?, isMerged: Bool,
        _ body: (WriteContext) throws -> PendingAcknowledgement
    ) throws -> PendingAcknowledgement {
        // Making one takes longer than storing a row. Taken out of the slot, so that this is the
        // only reference.
        var present = context.take() ?? WriteContext(WriteTransaction(environment))
        present.begin(interruption, recordsMergedRows: isMerged)
        defer {
            present.end()
            // Code that has let it out of its closure must not see the next write.
            if isKnownUniquelyReferenced(&present) { context = present }
        }
        return try body(present)
    }
}
