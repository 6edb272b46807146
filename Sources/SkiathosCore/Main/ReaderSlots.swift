import CSkiathosThreads
import SkiathosStore

/// The slots of the connections that read, which reads may reserve without the lock of their gate.
final class ReaderSlots: @unchecked Sendable {
    // Sendable: the memory is set in `init` and never changes; what it refers to is held by `all`.

    /// The slots, by their numbers in the gate.
    let all: [ReaderSlot]
    /// The same, found without retaining them: a read that finds its row in a cache takes hardly
    /// longer than a few retains.
    private let unretained: UnsafeMutableBufferPointer<Unmanaged<ReaderSlot>>
    private let gate: AdmissionGate

    /// - Parameter areReservable: Whether the gate leaves their turns to reads.
    init(_ slots: [ReaderSlot], gate: AdmissionGate, areReservable: Bool) {
        all = slots
        self.gate = gate
        unretained = .allocate(capacity: areReservable ? slots.count : 0)
        _ = unretained.initialize(
            from: slots.prefix(unretained.count).map { .passUnretained($0) })
    }

    deinit { unretained.deallocate() }

    /// Reserves a connection for a read that needs none before its first statement; `nil` if none is free,
    /// or the gate is closed.
    ///
    /// The one that the thread has had last is tried first. The slot is valid as long as this object;
    /// ``ReaderSlot/endReservation()`` ends the reservation.
    @inline(__always)
    func reserve(from place: SourcePlace) -> Unmanaged<ReaderSlot>? {
        guard !gate.refusesReservations else { return nil }
        let last = skiathos_last_slot()
        if last < unretained.count {
            let slot = unretained[last]
            if slot._withUnsafeGuaranteedRef({ $0.reserve(from: place) }) { return slot }
        }
        return reserveOther(than: last, from: place)
    }

    private func reserveOther(than last: Int, from place: SourcePlace) -> Unmanaged<ReaderSlot>? {
        for number in unretained.indices where number != last {
            let slot = unretained[number]
            guard slot._withUnsafeGuaranteedRef({ $0.reserve(from: place) }) else { continue }
            skiathos_set_last_slot(number)
            return slot
        }
        return nil
    }
}
