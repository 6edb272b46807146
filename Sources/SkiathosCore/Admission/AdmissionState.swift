import SkiathosLocks
import Synchronization

/// The accesses that hold slots of an ``AdmissionGate``, and its queue.
///
/// It decides which is next, and resumes none.
struct AdmissionState {
    /// An entry that was given a slot.
    struct Admitted {
        let entry: AdmissionEntry
        let place: Int
        /// The continuation of its task, if that is suspended.
        var continuation: Continuation<Void, any Error>?
    }

    /// A slot that was given to a task, which has not claimed it yet.
    private struct Grant {
        let entry: AdmissionEntry
        /// Increases with each grant.
        let number: Int
    }

    /// The free slots, the one that was released last at the end.
    private var free: [Int]
    /// The turns of the slots that reads may reserve, by their numbers; empty if none may.
    private let turns: [SlotTurn]
    /// The access in each slot, if its source location is known.
    private var holders: [RunningRead?]
    /// Whether the holder of each slot closes the store.
    private var areClosing: [Bool]
    /// Whether only accesses that were accepted before are admitted.
    var isClosed = false
    /// The queue, oldest first, with numbers by which a cancelled entry is found.
    private var waiting = WaitQueue<AdmissionEntry>()
    /// How many of them are threads of the pool that do not close, and how many are threads
    /// that do.
    private var overtaking = 0
    private var closing = 0
    /// The slots that tasks have not claimed, by their number.
    private var unclaimed: [Grant?]
    private var unclaimedCount = 0
    /// How often a slot was given to a task.
    private var grants = 0
    /// The last grant at the beginning of the current watch; `nil` without one.
    private var watched: Int?
    /// Since when no task has claimed its slot, as far as the watch knows.
    private var stuckSince: ContinuousClock.Instant?
    /// Whether a slot was taken over, and no task has claimed one since.
    private var isPoolBlocked = false

    /// - Parameter turns: Those of every slot, if reads may reserve free ones; else none.
    init(capacity: Int, turns: [SlotTurn] = []) {
        self.turns = turns
        free = Array((0..<capacity).reversed())
        holders = Array(repeating: nil, count: capacity)
        areClosing = Array(repeating: false, count: capacity)
        unclaimed = Array(repeating: nil, count: capacity)
    }

    var waitingCount: Int { waiting.count }
    var isHeld: Bool { free.allSatisfy { !turns.isEmpty && turns[$0].isReserved } }
    /// How many accesses hold a slot, without those that close the store.
    var insideCount: Int {
        holders.count - free.count + turns.count { $0.isReserved } - areClosing.count { $0 }
    }
    var oldestHolder: RunningRead? {
        (holders + turns.map(\.running)).compactMap { $0 }.min { $0.start < $1.start }
    }

    func requireOpen() throws {
        guard isClosed else { return }
        throw DataAccessError(
            .closed, "The data access layer was closed. Open it again, or close it later.")
    }

    mutating func takeFreeSlot(
        _ place: SourcePlace?, at now: CoarseTime? = nil, toClose isClosing: Bool = false
    ) -> Int? {
        guard let number = popFree() else { return nil }
        if isClosing { areClosing[number] = true }
        if let place { holders[number] = RunningRead(place: place, start: now ?? .now) }
        return number
    }

    private mutating func popFree() -> Int? {
        guard !turns.isEmpty else { return free.popLast() }
        if let index = free.lastIndex(where: { turns[$0].claim() }) {
            return free.remove(at: index)
        }
        // All are reserved. The access joins the queue, which gets the one that ends first.
        while let number = free.popLast() {
            while !turns[number].awaitEnd() {
                if turns[number].claim() { return number }
            }
        }
        return nil
    }

    private mutating func pushFree(_ number: Int) {
        free.append(number)
        if !turns.isEmpty { turns[number].free() }
    }

    /// Frees a slot if no access waits for it; returns whether it did.
    mutating func freeIfUnwanted(_ number: Int) -> Bool {
        holders[number] = nil
        areClosing[number] = false
        guard waiting.count == 0 else { return false }
        pushFree(number)
        return true
    }

    /// Gives a slot to the next access, or frees it if none waits.
    mutating func admitNext(to number: Int) -> Admitted? {
        // While tasks get no thread, accesses that need none of the pool overtake them.
        guard let next = popFirst(overtaking: isPoolBlocked && overtaking > 0) else {
            pushFree(number)
            return nil
        }
        return admit(next, to: number)
    }

    /// Appends an access to the queue and returns its number there.
    mutating func enqueue(_ entry: AdmissionEntry) -> Int {
        count(entry, 1)
        return waiting.append(entry)
    }

    /// Removes an access from the queue, if it still waits there.
    mutating func leaveQueue(_ position: Int) -> AdmissionEntry? {
        let entry = waiting.remove(position)
        if let entry { count(entry, -1) }
        return entry
    }

    /// Removes all that meet a condition from the queue, in their order.
    mutating func leaveQueue(
        where isMeant: @Sendable (AdmissionEntry) -> Bool
    ) -> [AdmissionEntry] {
        let left = waiting.removeAll(where: isMeant)
        for entry in left { count(entry, -1) }
        return left
    }

    private mutating func popFirst(overtaking: Bool) -> AdmissionEntry? {
        let entry =
            overtaking ? waiting.popFirst { $0.canTakeOver } : waiting.popFirst()
        if let entry { count(entry, -1) }
        return entry
    }

    private mutating func count(_ entry: AdmissionEntry, _ change: Int) {
        guard entry.holdsPoolThread else { return }
        if entry.standing == .closing {
            closing += change
        } else {
            overtaking += change
        }
    }

    private mutating func admit(_ entry: AdmissionEntry, to number: Int) -> Admitted {
        holders[number] = entry.place.map { RunningRead(place: $0, start: .now) }
        areClosing[number] = entry.standing == .closing
        guard case .task(let ticket) = entry.waiter else {
            return Admitted(entry: entry, place: number)
        }
        defer { ticket.continuation = nil }
        ticket.stage = .granted(number)
        // A task that closes has a thread.
        if entry.standing != .closing {
            grants += 1
            unclaimed[number] = Grant(entry: entry, number: grants)
            unclaimedCount += 1
        }
        return Admitted(entry: entry, place: number, continuation: ticket.continuation)
    }
}

extension AdmissionState {
    /// The result of claiming a slot.
    enum Claim {
        /// A slot, and since when the task has waited, if it has.
        case place(Int, since: UInt64?)
        /// Others have taken the slot over: the task is in the queue again.
        case takenOver
    }

    /// Gives a task the slot that it claims.
    mutating func claim(_ ticket: AdmissionTicket) throws -> Claim {
        // A task runs, so threads of the pool are free.
        stuckSince = nil
        isPoolBlocked = false
        switch ticket.stage {
        case .granted(let place):
            ticket.stage = .done
            return .place(place, since: endGrant(place)?.entry.start)
        case .refused(let error): throw error
        case .waiting: return .takenOver
        case .new, .done:
            preconditionFailure("A task came for a place without having lined up.")
        }
    }

    /// Refuses the tasks that have not claimed their slots; returns the slots.
    mutating func refuseUnclaimed(_ error: any Error) -> [Int] {
        unclaimed.indices.filter { number in
            guard case .task(let ticket)? = endGrant(number)?.entry.waiter else { return false }
            ticket.stage = .refused(error)
            return true
        }
    }

    private mutating func endGrant(_ place: Int) -> Grant? {
        guard let grant = unclaimed[place] else { return nil }
        unclaimed[place] = nil
        unclaimedCount -= 1
        return grant
    }
}

extension AdmissionState {
    /// How long a task has to claim its slot if other code may hold threads of the pool, or
    /// the machine may be busy.
    ///
    /// Where stores hold all threads of the pool, the pause of the watch is enough.
    private static let timeToCome = Duration.seconds(1)

    /// Begins to watch whether tasks claim their slots, if others would take them over;
    /// returns whether a watch has begun.
    mutating func beginWatch() -> Bool {
        guard watched == nil, unclaimedCount > 0, overtaking > 0 || closing > 0 else {
            return false
        }
        watched = grants
        return true
    }

    /// Ends a watch: gives the slots that no task has claimed to the waiting accesses that
    /// hold the threads.
    ///
    /// - Parameter patience: How long a thread of the pool that closes waits for such tasks.
    /// - Returns: The accesses that were given a slot, and whether the patience is over.
    mutating func takeOver(_ patience: Duration) -> (admitted: [Admitted], isPatienceOver: Bool) {
        var admitted: [Admitted] = []
        let last = watched ?? 0
        watched = nil
        for number in unclaimed.indices {
            guard let grant = unclaimed[number], grant.number <= last else { continue }
            let since = stuckSince ?? .now
            stuckSince = since
            let time = since.duration(to: .now)
            guard PoolThreads.areAllBlocked || time > Self.timeToCome else { break }
            guard overtaking > 0, let next = popFirst(overtaking: true) else {
                return (admitted, isClosed && closing > 0 && time > patience)
            }
            isPoolBlocked = true
            _ = endGrant(number)
            if case .task(let ticket) = grant.entry.waiter {
                ticket.stage = .waiting(waiting.prepend(grant.entry))
            }
            admitted.append(admit(next, to: number))
        }
        return (admitted, false)
    }
}
