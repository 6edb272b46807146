import SkiathosStore

/// Allocates the integer IDs of one entity: ascending, and none twice, even after its row was
/// deleted and the store was closed and opened.
///
/// The store holds a limit up to which IDs may have been allocated. It is raised by a block at
/// a time, in the transaction of the write that needs it, so that most writes do not touch it.
/// Closing lowers it to what was used; after a crash the rest of a block is skipped.
@usableFromInline
struct IDSequence: Sendable, Hashable {
    private static let blockSize: Int64 = 256

    /// The largest ID that was allocated or seen.
    @usableFromInline var highest: Int64
    /// The limit that the store holds, in the open transaction if there is one.
    var reserved: Int64

    init(highest: Int64) {
        self.highest = highest
        self.reserved = highest
    }

    /// Allocates the next ID.
    @usableFromInline
    mutating func next() throws -> Int64 {
        guard highest < .max else {
            throw DataAccessError(
                .idsExhausted,
                "Every integer ID up to \(Int64.max) has been handed out or skipped by an explicit one. Use UUIDs."
            )
        }
        highest += 1
        return highest
    }

    /// Records an ID that was chosen by the caller.
    @inlinable
    mutating func advance(past id: Int64) { highest = max(highest, id) }

    /// The limit that the next flush has to store, if the stored one is lower.
    var limitToReserve: Int64? {
        guard highest > reserved else { return nil }
        let (limit, overflow) = highest.addingReportingOverflow(Self.blockSize - 1)
        return overflow ? .max : limit
    }
}
