/// The allocated and the reserved integer IDs of every entity.
struct IDAllocator {
    /// One for each entity, with the limits that the open transaction holds.
    private(set) var sequences: [IDSequence]
    /// The limits that are committed.
    private var committedLimits: [Int64]

    init(_ sequences: [IDSequence]) {
        self.sequences = sequences
        committedLimits = sequences.map(\.reserved)
    }

    /// The limits that the open transaction holds.
    var limits: [Int64] { sequences.map(\.reserved) }

    /// A write was merged, and its limits with it.
    mutating func merge(_ used: [IDSequence]) {
        for index in used.indices { sequences[index].reserved = used[index].reserved }
    }

    /// Records the IDs that a write was given, which are final whether it is committed or not.
    mutating func recordUsed(_ used: [IDSequence]) {
        for index in used.indices { sequences[index].advance(past: used[index].highest) }
    }

    /// Records IDs of another origin that are in the open transaction; returns the limits to store
    /// there.
    mutating func recordUsed(highest: [Int64]) -> [(entity: Int, limit: Int64)] {
        var limits: [(entity: Int, limit: Int64)] = []
        for (entity, highest) in highest.enumerated() {
            sequences[entity].advance(past: highest)
            guard let limit = sequences[entity].limitToReserve else { continue }
            sequences[entity].reserved = limit
            limits.append((entity, limit))
        }
        return limits
    }

    /// Copies the limits that the open transaction holds into the sequences of a write.
    func copyLimits(to used: inout [IDSequence]) {
        for index in used.indices { used[index].reserved = sequences[index].reserved }
    }

    mutating func commit() {
        // In place, since nothing else of a commit needs memory.
        for index in committedLimits.indices { committedLimits[index] = sequences[index].reserved }
    }

    /// The open transaction is gone.
    mutating func rollback() {
        for (index, limit) in committedLimits.enumerated() { sequences[index].reserved = limit }
    }

    /// Limits that are higher than needed, with what would do.
    var unused: [(entity: Int, highest: Int64)] {
        sequences.enumerated().filter { $1.reserved > $1.highest }.map { ($0, $1.highest) }
    }
}
