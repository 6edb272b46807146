import SkiathosStore

/// A connection for reads, and the context that its reads use one after the other.
final class ReaderSlot: @unchecked Sendable {
    // Sendable: `context` is touched only by the holder of this connection's slot in the gate
    // of the reads.

    let connection: any StoreReader
    private let schema: StoreSchema
    private let stop: CancellationFlag
    private let caches: RowCaches?
    /// The context of the last read, unless other code has kept a reference to it.
    @exclusivity(unchecked) private var context: ReadContext?

    init(
        _ connection: any StoreReader, _ schema: StoreSchema, _ stop: CancellationFlag,
        _ caches: RowCaches?
    ) {
        self.connection = connection
        self.schema = schema
        self.stop = stop
        self.caches = caches
    }

    /// Runs a closure with the context, for one read.
    ///
    /// - Parameter commitBatch: Commits the open batch on the connection, if writes share it.
    func read(
        _ session: any StoreSession, _ interruption: Interruption?, commitBatch: (() -> Void)?,
        _ body: (ReadContext) throws -> Void
    ) throws {
        defer { end() }
        try body(begin(session, interruption, commitBatch))
    }

    private func begin(
        _ session: any StoreSession, _ interruption: Interruption?, _ commitBatch: (() -> Void)?
    ) -> ReadContext {
        // Making one takes longer than all else that a small read does.
        let present = context ?? ReadContext(schema: schema, stop: stop, caches: caches)
        present.begin(session, interruption, commitBatch: commitBatch)
        context = present
        return present
    }

    private func end() {
        context?.end()
        // Code that has let it out of its closure must not see the next read.
        if !isKnownUniquelyReferenced(&context) { context = nil }
    }
}
