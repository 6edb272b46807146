/// The allocated and the reserved integer IDs of every entity.
struct IDAllocator {
    /// One for each entity, with the limits that the open transaction holds.
    private var sequences: [IDSequence]
    /// The limits that are committed.
    private var committedLimits: [Int64]
    /// Whether the open transaction holds other limits than those.
    private var hasNewLimits = false
    /// Changes with the sequences, except by a merge, after which they are those of the write.
    ///
    /// So the next write with the same context mostly has them already.
    private var version = 0

    init(_ sequences: [IDSequence]) {
        self.sequences = sequences
        committedLimits = sequences.map(\.reserved)
    }

    /// The limits that the open transaction holds.
    var limits: [Int64] { sequences.map(\.reserved) }

    /// A write was merged, and its limits and IDs with it.
    mutating func merge(_ used: [IDSequence]) {
        for index in used.indices where used[index] != sequences[index] {
            if used[index].reserved != sequences[index].reserved {
                sequences[index].reserved = used[index].reserved
                hasNewLimits = true
            }
            sequences[index].advance(past: used[index].highest)
        }
    }

    /// Records the IDs that a write was given, which are final whether it is committed or not.
    mutating func recordUsed(_ used: [IDSequence]) {
        for index in used.indices where used[index] != sequences[index] {
            sequences[index].advance(past: used[index].highest)
            version += 1
        }
    }

    /// Records IDs of another origin that are in the open transaction; returns the limits to store
    /// there.
    mutating func recordUsed(highest: [Int64]) -> [(entity: Int, limit: Int64)] {
        version += 1
        hasNewLimits = true
        var limits: [(entity: Int, limit: Int64)] = []
        for (entity, highest) in highest.enumerated() {
            sequences[entity].advance(past: highest)
            guard let limit = sequences[entity].limitToReserve else { continue }
            sequences[entity].reserved = limit
            limits.append((entity, limit))
        }
        return limits
    }

    /// Copies the sequences to a write that begins, unless it has them.
    ///
    /// - Parameter known: The version of what the write has; none has a negative one.
    func copy(to used: inout [IDSequence], _ known: inout Int) {
        guard known != version else { return }
        known = version
        used = sequences
    }

    /// Copies the limits that the open transaction holds to a write that is about to join it,
    /// unless it has them.
    func copyLimits(to used: inout [IDSequence], _ known: inout Int) {
        guard known != version else { return }
        known = version
        for index in used.indices { used[index].reserved = sequences[index].reserved }
    }

    mutating func commit() {
        guard hasNewLimits else { return }
        hasNewLimits = false
        // In place, since nothing else of a commit needs memory.
        for index in committedLimits.indices { committedLimits[index] = sequences[index].reserved }
    }

    /// The open transaction is gone.
    mutating func rollback() {
        guard hasNewLimits else { return }
        hasNewLimits = false
        version += 1
        for (index, limit) in committedLimits.enumerated() { sequences[index].reserved = limit }
    }

    /// Limits that are higher than needed, with what would do.
    var unused: [(entity: Int, highest: Int64)] {
        sequences.enumerated().filter { $1.reserved > $1.highest }.map { ($0, $1.highest) }
    }
}
