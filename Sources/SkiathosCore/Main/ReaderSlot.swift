import SkiathosStore

/// A connection for reads, and the context that its reads use one after the other.
final class ReaderSlot: @unchecked Sendable {
    // Sendable: `context` and `reservation` are touched only by the read that has this connection's
    // slot in the gate of the reads, or has reserved it.

    let connection: any StoreReader
    private let schema: StoreSchema
    private let stop: CancellationFlag
    private let caches: RowCaches?
    private let gate: AdmissionGate
    /// The number of the slot in the gate.
    private let number: Int
    private let turn: SlotTurn
    /// The context of the last read, unless other code has kept a reference to it; `nil` during a
    /// read.
    @exclusivity(unchecked) private var context: ReadContext?
    /// What the read has that has reserved the connection.
    @exclusivity(unchecked) private var reservation = ReadReservation(
        version: CachedVersion.none, hasSnapshot: false)

    /// - Parameters:
    ///   - number: The number of the slot in the gate.
    ///   - turn: That of the slot.
    init(
        _ connection: any StoreReader, _ schema: StoreSchema, _ stop: CancellationFlag,
        _ caches: RowCaches?, _ gate: AdmissionGate, number: Int, turn: SlotTurn
    ) {
        self.connection = connection
        self.schema = schema
        self.stop = stop
        self.caches = caches
        self.gate = gate
        self.number = number
        self.turn = turn
    }

    /// Runs a closure with the context, for one read.
    ///
    /// - Parameter commitBatch: Commits the open batch on the connection, if writes share it.
    func read(
        _ session: any StoreSession, _ cancellation: Cancellation, commitBatch: (() -> Void)?,
        _ body: (ReadContext) throws -> Void
    ) throws {
        var present = takeContext()
        present.begin(session, cancellation, commitBatch: commitBatch)
        let result = Result { try body(present) }
        present.end()
        if isUnknown(&present) { context = consume present }
        try result.get()
    }

    /// Reserves the connection if it is free; returns whether it did.
    @inline(__always)
    func reserve(from place: SourcePlace) -> Bool {
        guard turn.reserve() else { return false }
        guard let reservation = connection.reserve() else {
            endReservation()
            return false
        }
        self.reservation = reservation
        turn.record(place)
        return true
    }

    /// Runs a closure with the context, for the read that has reserved the connection.
    @inline(__always)
    func readReserved(
        _ cancellation: Cancellation, _ body: (ReadContext) throws -> Void
    ) throws {
        var present = takeContext()
        do {
            if !cancellation.isIgnored { try cancellation.begin(connection) }
            present.begin(reservation, cancellation)
            try body(present)
        } catch {
            connection.endReservation(discarding: present.hasUsedReserved)
            present.endReserved()
            if isUnknown(&present) { context = consume present }
            throw error
        }
        connection.endReservation(discarding: false)
        present.endReserved()
        if isUnknown(&present) { context = consume present }
    }

    /// Ends a reservation.
    @inline(__always)
    func endReservation() {
        if turn.endReservation() { gate.leave(number) }
    }

    /// The context, which is moved out and in again: retaining it costs more than using it.
    @inline(__always)
    private func takeContext() -> ReadContext {
        // Making one takes longer than all else that a small read does.
        if let present = context.take() { return present }
        return ReadContext(schema: schema, stop: stop, caches: caches, connection: connection)
    }

    /// Whether no other code has kept the context: that must not see the next read.
    @inline(__always)
    private func isUnknown(_ present: inout ReadContext) -> Bool {
        isKnownUniquelyReferenced(&present)
    }
}
