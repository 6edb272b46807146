import Synchronization

/// Who is in at an ``AdmissionGate``, and who waits; decides who is next, and wakes no one.
struct AdmissionState {
    /// An entry that was given a place.
    struct Admitted {
        let entry: AdmissionEntry
        let place: Int
        /// What wakes its task, if that sleeps.
        var continuation: CheckedContinuation<Void, any Error>?
    }

    /// A place that was given to a task, which has not come for it yet.
    private struct Grant {
        let entry: AdmissionEntry
        /// Counts on with each grant.
        let number: Int
    }

    /// The places that are free, the one that was given back last at the end.
    private var free: [Int]
    /// The access in each place, as far as it has said where it was called.
    private var occupants: [RunningRead?]
    /// Whether only accesses that were accepted before are let in.
    var isClosed = false
    /// Those that wait, the first first, with numbers by which a cancelled one is found.
    private var waiting = WaitingLine<AdmissionEntry>()
    /// How many of them are threads of the pool that do not close, and how many are such that do.
    private var overtaking = 0
    private var closing = 0
    /// What was given to tasks that have not come for it, by place.
    private var unclaimed: [Grant?]
    private var unclaimedCount = 0
    /// How often a place was given to a task.
    private var grants = 0
    /// The last grant when the watch began that is under way; none without one.
    private var watched: Int?
    /// Since when no task has come for its place, as far as the watch knows.
    private var stuckSince: ContinuousClock.Instant?
    /// Whether a place was taken over, and no task has come since.
    private var isPoolBlocked = false

    init(capacity: Int) {
        free = Array((0..<capacity).reversed())
        occupants = Array(repeating: nil, count: capacity)
        unclaimed = Array(repeating: nil, count: capacity)
    }

    var waitingCount: Int { waiting.count }
    var isOccupied: Bool { free.isEmpty }
    var insideCount: Int { occupants.count - free.count }
    var oldestOccupant: RunningRead? {
        occupants.compactMap { $0 }.min { $0.start < $1.start }
    }

    func requireOpen() throws {
        guard isClosed else { return }
        throw DataAccessError(
            .closed, "The data access layer was closed. Open it again, or close it later.")
    }

    mutating func takeFreePlace(_ place: SourcePlace?, at now: CoarseTime? = nil) -> Int? {
        guard let number = free.popLast() else { return nil }
        if let place { occupants[number] = RunningRead(place: place, start: now ?? .now) }
        return number
    }

    /// Frees a place if no access waits for it; tells whether that was so.
    mutating func freeIfUnwanted(_ number: Int) -> Bool {
        occupants[number] = nil
        guard waiting.count == 0 else { return false }
        free.append(number)
        return true
    }

    /// Gives a place to the next access, or frees it if there is none.
    mutating func admitNext(to number: Int) -> Admitted? {
        // While tasks get no thread, those go first that need none of the pool.
        guard let next = popFirst(overtaking: isPoolBlocked && overtaking > 0) else {
            free.append(number)
            return nil
        }
        return admit(next, to: number)
    }

    /// Puts an access at the end of the line and returns its number there.
    mutating func lineUp(_ entry: AdmissionEntry) -> Int {
        count(entry, 1)
        return waiting.append(entry)
    }

    /// Takes an access out of the line, if it still waits there.
    mutating func leaveLine(_ position: Int) -> AdmissionEntry? {
        let entry = waiting.remove(position)
        if let entry { count(entry, -1) }
        return entry
    }

    /// Takes all that meet a condition out of the line, in their order.
    mutating func leaveLine(
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
        occupants[number] = entry.place.map { RunningRead(place: $0, start: .now) }
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
    /// What a task that has come for its place finds.
    enum Claim {
        /// A place, and since when the task has waited, if it has.
        case place(Int, since: UInt64?)
        /// Others have taken it over: the task is in line again.
        case takenOver
    }

    /// Gives a task the place that it has come for.
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

    /// Refuses the tasks that have not come for their places; returns the places.
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
    /// How long a task has to come for its place if other code may hold threads of the pool, or the
    /// machine may be busy.
    ///
    /// Where stores hold all threads of the pool, the pause of the watch is enough.
    private static let timeToCome = Duration.seconds(1)

    /// Begins to watch whether tasks come for their places, if others would take them over; tells
    /// whether that is new.
    mutating func beginWatch() -> Bool {
        guard watched == nil, unclaimedCount > 0, overtaking > 0 || closing > 0 else {
            return false
        }
        watched = grants
        return true
    }

    /// Ends a watch: gives the places for which no task has come to those in line that hold the
    /// threads.
    ///
    /// - Parameter patience: How long a thread of the pool that closes waits for such tasks.
    /// - Returns: Those that were given a place, and whether the patience is over.
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
