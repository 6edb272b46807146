import Synchronization

/// Whether an access has a slot of an ``AdmissionGate``, which it may also reserve without the lock of
/// the gate.
///
/// A reserved slot stays in the gate's list of free slots. When an access comes and every free slot
/// is reserved, the gate takes all of them off the list and marks them as awaited. An access that has
/// reserved one then gives it back to the gate, for the first in the queue.
final class SlotTurn: Sendable {
    /// No access has it.
    ///
    /// Exits: `reserved` by ``reserve()``, `taken` by ``claim()``.
    private static let free: UInt8 = 0
    /// An access has it that the gate has admitted.
    ///
    /// Exits: `free` by ``free()``.
    private static let taken: UInt8 = 1
    /// A read has reserved it.
    ///
    /// Exits: `free` by ``endReservation()``, `awaited` by ``awaitEnd()``.
    private static let reserved: UInt8 = 2
    /// A read has reserved it, and gives it back to the gate.
    ///
    /// Exits: `taken` by ``endReservation()``.
    private static let awaited: UInt8 = 3

    private let state = Atomic(free)
    // What the read with the reservation records about itself. A thread that asks for them meanwhile
    // may meet those of two reads that began within the same moment.
    private let start = Atomic<Int64>(0)
    private let file = Atomic<UInt>(0)
    private let line = Atomic<UInt>(0)

    /// Reserves a free slot; returns whether it was free.
    @inline(__always)
    func reserve() -> Bool {
        state.compareExchange(
            expected: Self.free, desired: Self.reserved, ordering: .acquiring
        ).exchanged
    }

    /// Reserves a slot that becomes free soon, unless a condition holds; returns whether it did.
    ///
    /// A task that joins the queue instead is suspended, and each one that comes before it has run has
    /// to join, too (a lock convoy). Then two threads put each other to sleep and wake each other up,
    /// which takes longer than most writes. Gives up when the gate has the slot, whose queue comes first.
    func reserveSoon(unless isRefused: () -> Bool) -> Bool {
        var isReserved = false
        BriefWait.spin {
            if isRefused() { return true }
            isReserved = reserve()
            if isReserved { return true }
            let value = state.load(ordering: .relaxed)
            return value == Self.taken || value == Self.awaited
        }
        return isReserved
    }

    /// Records the read that has the reservation.
    @inline(__always)
    func record(_ place: SourcePlace) {
        file.store(UInt(bitPattern: place.file), ordering: .relaxed)
        line.store(place.line, ordering: .relaxed)
        start.store(CoarseTime.now.nanoseconds, ordering: .releasing)
    }

    /// Ends a reservation; returns whether the caller has to give the slot back to the gate.
    @inline(__always)
    func endReservation() -> Bool {
        let isEnded = state.compareExchange(
            expected: Self.reserved, desired: Self.free, ordering: .releasing
        ).exchanged
        if isEnded { return false }
        state.store(Self.taken, ordering: .relaxed)
        return true
    }

    /// Claims a free slot for the gate, under its lock; returns whether it was free.
    func claim() -> Bool {
        state.compareExchange(
            expected: Self.free, desired: Self.taken, ordering: .acquiring
        ).exchanged
    }

    /// Claims the end of a reservation for the gate, under its lock; returns whether there is one.
    func awaitEnd() -> Bool {
        state.compareExchange(
            expected: Self.reserved, desired: Self.awaited, ordering: .relaxed
        ).exchanged
    }

    /// Puts a slot that the gate has claimed back, under its lock.
    func free() { state.store(Self.free, ordering: .releasing) }

    /// Whether a read has reserved the slot that the gate does not await.
    var isReserved: Bool { state.load(ordering: .relaxed) == Self.reserved }

    /// The read that has reserved the slot.
    var running: RunningRead? {
        let value = state.load(ordering: .acquiring)
        let since = start.load(ordering: .acquiring)
        guard value == Self.reserved || value == Self.awaited,
            let file = UnsafePointer<UInt8>(bitPattern: file.load(ordering: .relaxed))
        else { return nil }
        let place = SourcePlace(file: file, line: line.load(ordering: .relaxed))
        return RunningRead(place: place, start: CoarseTime(nanoseconds: since))
    }
}
