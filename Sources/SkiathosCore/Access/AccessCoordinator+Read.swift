import CSkiathosThreads
import SkiathosStore
import Synchronization

/// A read of a task that has reserved a connection.
@usableFromInline
struct ReservedRead {
    fileprivate let slot: Unmanaged<ReaderSlot>
}

extension AccessCoordinator {
    /// Runs a closure as a read, blocking the thread while every connection is in use.
    func read(_ place: SourcePlace, _ body: (ReadContext) throws -> Void) throws {
        guard let observer else { return try read(place, nil, body) }
        let record = observer.beginRead(place)
        defer { record.end() }
        do {
            try read(place, record, body)
        } catch {
            record.fail(error)
            throw error
        }
    }

    @inline(__always)
    private func read(
        _ place: SourcePlace, _ record: AccessRecord?, _ body: (ReadContext) throws -> Void
    ) throws {
        try requireUsable(for: .read)
        if record == nil, let slot = reserve(place) { return try runReserved(slot, .ignored, body) }
        let number = try main.gate.enter(from: place)
        defer { leaveGate(number) }
        try runRead(number, .ignored, record, body)
    }

    /// Runs a closure as a read, blocking the thread while every connection is in use, and returns
    /// its result.
    func read<R>(_ place: SourcePlace, _ body: (ReadContext) throws -> R) throws -> R {
        try withResultSlot { slot in
            try read(place) { (context: ReadContext) -> Void in
                try slot.fill { try body(context) }
            }
        }
    }

    /// Runs a closure as a read; waiting for a connection blocks no thread.
    ///
    /// - Parameter checkingCancellation: Whether its statements check the task for cancellation, where the store can do that.
    @inline(__always)
    func read(
        _ place: SourcePlace, checkingCancellation: Bool = true,
        _ body: (ReadContext) throws -> Void
    ) async throws {
        let record = observer?.beginRead(place)
        defer { record?.end() }
        do {
            try requireUsable(for: .read)
            if FairShare.renewIfUsedUp(at: .now) { await Task.yield() }
            if record == nil, let slot = reserve(place) {
                if supportsCancellationChecks, checkingCancellation {
                    return try runReserved(slot, .polled, body)
                }
                return try await interruptible { try runReserved(slot, .interrupting($0), body) }
            }
            let number = try await main.gate.enter(from: place)
            if supportsCancellationChecks, checkingCancellation {
                defer { leaveGate(number) }
                return try runRead(number, .polled, record, body)
            }
            try await interruptible {
                // Before the handler is gone, which waits for the handlers of the caller, and these
                // may wait for the connection.
                defer { leaveGate(number) }
                try runRead(number, .interrupting($0), record, body)
            }
        } catch {
            record?.fail(error)
            throw error
        }
    }

    /// Reserves a connection for a read of a task that neither has to wait nor to suspend; `nil` if it may have
    /// to.
    ///
    /// The caller must run the returned read, which ends the reservation.
    @inline(__always)
    func reserveRead(_ place: SourcePlace) throws -> ReservedRead? {
        guard supportsCancellationChecks, observer == nil, !FairShare.isUsedUp(at: .now) else {
            return nil
        }
        try requireUsable(for: .read)
        return reserve(place).map { ReservedRead(slot: $0) }
    }

    /// Runs a closure as a read whose connection was reserved by ``reserveRead(_:)``.
    @inline(__always)
    func read(_ reserved: ReservedRead, _ body: (ReadContext) throws -> Void) throws {
        try runReserved(reserved.slot, .polled, body)
    }

    /// Runs a closure as a read, and returns its result; waiting for a connection blocks no thread.
    func read<R: Sendable>(
        _ place: SourcePlace, checkingCancellation: Bool = true, _ body: (ReadContext) throws -> R
    ) async throws -> R {
        var result: R?
        try await read(place, checkingCancellation: checkingCancellation) {
            (context: ReadContext) -> Void in
            result = try body(context)
        }
        return result.ofFinishedAccess
    }

    /// Commits the open batch in the middle of a read, where both have the same connection.
    private func commitBatch(on session: any StoreSession) {
        // A batch that cannot be committed is lost, which was reported; the read continues.
        if let session = session as? any StoreWriteSession {
            commits.commitBatch(session)
        }
    }

    private func leaveGate(_ number: Int) {
        switch connections {
        case .single: rootWriter.release(.unmerged(hasRead: false))
        case .pool:
            skiathos_set_last_slot(number)
            main.gate.leave(number)
        }
    }

    /// Reserves a connection for a read, if one is free.
    @inline(__always)
    private func reserve(_ place: SourcePlace) -> Unmanaged<ReaderSlot>? {
        guard !commits.hasReturnedWrites else { return nil }
        return slots._withUnsafeGuaranteedRef { $0.reserve(from: place) }
    }

    /// Runs a closure as a read that has reserved a connection.
    @inline(__always)
    private func runReserved(
        _ slot: Unmanaged<ReaderSlot>, _ cancellation: Cancellation,
        _ body: (ReadContext) throws -> Void
    ) throws {
        try slot._withUnsafeGuaranteedRef { slot in
            defer { slot.endReservation() }
            do {
                try AccessScope.run(.read, of: self, holding: readGate) {
                    try slot.readReserved(cancellation, body)
                }
                try cancellation.settle()
            } catch {
                throw rootWriter.stop.cause(of: error, cancellation)
            }
        }
    }

    /// Runs a closure with the connection of a slot.
    @inline(__always)
    private func runRead(
        _ number: Int, _ cancellation: Cancellation, _ record: AccessRecord?,
        _ body: (ReadContext) throws -> Void
    ) throws {
        guard let record else { return try runRead(number, cancellation, body) }
        record.admitted()
        try StatementScope.run(record) { try runRead(number, cancellation, body) }
    }

    /// Runs a closure with the connection of a slot.
    private func runRead(
        _ number: Int, _ cancellation: Cancellation, _ body: (ReadContext) throws -> Void
    ) throws {
        let reader = main.slots.all[number]
        do {
            if connections == .pool { try commits.commitForRead() }
            try cancellation.begin(reader.connection)
            try AccessScope.run(.read, of: self, holding: readGate) {
                try reader.connection.read { session in
                    try reader.read(
                        session, cancellation,
                        commitBatch: connections == .single
                            ? { self.commitBatch(on: session) } : nil,
                        body)
                }
            }
            try cancellation.settle()
        } catch {
            throw rootWriter.stop.cause(of: error, cancellation)
        }
    }
}
