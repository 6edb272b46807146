import Dispatch
import SkiathosLocks
import SkiathosStore
import Synchronization

/// Admits a number of accesses at a time, in the order in which they join its queue.
///
/// Threads, tasks and jobs are in one queue. Where there are several slots, a thread that finds none
/// lets others run before it joins.
///
/// A task that finds the only slot taken, and no queue, waits for it for up to 30 microseconds. Then it
/// is suspended, and blocks no thread. It needs a thread of Swift's task pool when it gets its
/// slot, and none may be free: blocking calls that wait at the same gate can hold all of them.
/// Then the slot is given to the next of those calls in the queue, and the task returns to the
/// head of the queue.
final class AdmissionGate: Sendable {
    /// Which accesses a closed gate admits, and how they stand to waiting tasks.
    enum Standing: Sendable {
        /// Refused once the gate is closed.
        case usual
        /// A part of an access that was accepted before the gate was closed.
        case accepted
        /// Closes the store: comes after all that were accepted.
        ///
        /// If it is a task, its thread does not belong to the pool.
        case closing
    }

    /// Work that is run when it gets its slot, or is called with the reason why it gets none.
    typealias Job = @Sendable (_ refusal: (any Error)?) -> Void

    /// The least time that a task has to claim its slot before others take it over.
    private static let pause = DispatchTimeInterval.milliseconds(1)

    private let state: Lock<AdmissionState>
    private let jobLimit: Int
    private let jobs: DispatchQueue
    /// How long a blocking close waits for tasks that get no thread.
    private let patience: Duration
    /// Counts the accesses that wait; accesses that do not wait cost nothing.
    private let metrics: QueueMetrics?
    let capacity: Int
    /// The turn of the only slot, which accesses take without the lock while no other one waits;
    /// `nil` where there are more slots, or reads reserve them.
    private let onlyTurn: SlotTurn?
    /// The same, not retained, which costs more than to reserve it.
    private let unretainedTurn: Unmanaged<SlotTurn>?
    /// Whether the gate was closed, for reads that reserve; set before `isClosed` of the state.
    private let isClosed = Atomic(false)

    /// The number of accesses that wait at this moment.
    var waitingCount: Int {
        // An access that waits has marked the slot as awaited.
        if let onlyTurn, onlyTurn.isReserved { return 0 }
        return state.withLock { $0.waitingCount }
    }

    /// Whether no slot is free at this moment.
    var isHeld: Bool { state.withLock { $0.isHeld } }

    /// The number of accesses that hold a slot at this moment, without those that close the store.
    var insideCount: Int { state.withLock { $0.insideCount } }

    /// The access that has held its slot for the longest time, of those with a known source
    /// location.
    var oldestHolder: RunningRead? { state.withLock { $0.oldestHolder } }

    /// - Parameters:
    ///   - capacity: The number of slots.
    ///   - jobLimit: How many accesses may wait before further jobs are refused. Threads and
    ///     tasks are held back by their waiting.
    ///   - patience: How long a blocking close waits for a task that was given a slot, and
    ///     which gets no thread.
    ///   - turns: Those of the slots, if reads may reserve them; one of its own is made where there
    ///     is one slot.
    init(
        capacity: Int, jobLimit: Int, label: String, patience: Duration,
        metrics: QueueMetrics? = nil, turns: [SlotTurn] = []
    ) {
        onlyTurn = turns.isEmpty && capacity == 1 ? SlotTurn() : nil
        unretainedTurn = onlyTurn.map { .passUnretained($0) }
        let turns = onlyTurn.map { [$0] } ?? turns
        state = Lock(AdmissionState(capacity: capacity, turns: turns))
        self.capacity = capacity
        self.jobLimit = jobLimit
        self.patience = patience
        jobs = DispatchQueue(label: label)
        self.metrics = metrics
    }

    /// Enters, blocking the thread until it has a slot, and returns the number of the slot.
    ///
    /// - Parameters:
    ///   - place: The source location of the call, for ``oldestHolder``.
    ///   - standing: Whether it enters a closed gate.
    /// - Throws: `DataAccessError` with the code `closed`, and with `deadlock` if the accesses
    ///   that the thread would wait for wait for another store whose closure it is inside of.
    @discardableResult
    func enter(from place: SourcePlace? = nil, as standing: Standing = .usual) throws -> Int {
        if standing == .usual, place == nil, takesOnlySlot { return 0 }
        if onlyTurn == nil, standing == .usual, let number = try takeBriefly(place) {
            return number
        }
        var thread: BlockedThread?
        var position = 0
        var isWatching = false
        let number = try state.withLock { state -> Int in
            if standing == .usual { try state.requireOpen() }
            if let number = state.takeFreeSlot(place, toClose: standing == .closing) {
                return number
            }
            let waiting = BlockedThread()
            thread = waiting
            position = state.enqueue(entry(.thread(waiting), place, standing))
            isWatching = state.beginWatch()
            return -1
        }
        guard let thread else { return number }
        metrics?.enqueue()
        if isWatching { watch() }
        return try AccessScope.whileWaiting(for: self) {
            try thread.wait()
        } orRefused: { refusal in
            guard leaveQueue(position) else { return try thread.wait() }
            metrics?.giveUp()
            throw refusal
        }
    }

    /// Enters when the task gets a slot, and returns the number of the slot.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that; it has not entered then.
    @discardableResult
    func enter(from place: SourcePlace? = nil, as standing: Standing = .usual) async throws -> Int {
        var now = CoarseTime.now
        if FairShare.renewIfUsedUp(at: now) {
            await Task.yield()
            now = .now
        }
        if standing == .usual, place == nil {
            if takesOnlySlot { return 0 }
            if let onlyTurn, onlyTurn.reserveSoon(unless: { refusesReservations }) { return 0 }
        }
        if let number = try state.withLock({ state in
            if standing == .usual { try state.requireOpen() }
            return state.takeFreeSlot(place, at: now, toClose: standing == .closing)
        }) {
            return number
        }
        return try await waitInLine(place, standing)
    }

    /// Takes a slot that is free now, or within a few turns of other threads; `nil` if none is.
    ///
    /// Other threads may come first. One that joined the queue would be given the next slot, and the
    /// thread that has just ended its read, and goes on, would have to wait in turn: each read would
    /// cost a change of threads (a lock convoy).
    private func takeBriefly(_ place: SourcePlace?) throws -> Int? {
        let number = try state.withLock { state -> Int? in
            try state.requireOpen()
            return state.takeFreeSlot(place)
        }
        return number
            ?? BriefWait.value { state.withLock { $0.isClosed ? nil : $0.takeFreeSlot(place) } }
    }

    private func waitInLine(_ place: SourcePlace?, _ standing: Standing) async throws -> Int {
        let ticket = AdmissionTicket()
        return try await withTaskCancellationHandler {
            while true {
                try await withThrowingContinuation { continuation in
                    self.enqueue(continuation, place, ticket, standing)
                }
                if let number = try claim(ticket) { return number }
            }
        } onCancel: {
            self.cancel(ticket)
        }
    }

    /// Runs a job when it gets a slot, on a queue of the gate's own.
    ///
    /// The job itself calls ``leave(_:)``.
    func submit(_ job: @escaping Job) throws {
        var isWatching = false
        let isIn = try state.withLock { state in
            try state.requireOpen()
            if state.takeFreeSlot(nil) != nil { return true }
            guard state.waitingCount < jobLimit else {
                throw DataAccessError(
                    .tooManyWaitingWrites,
                    "\(state.waitingCount) writes wait already, which is the limit. Use a write that waits, or raise Configuration.maximumWaitingWrites."
                )
            }
            _ = state.enqueue(entry(.job(job), nil, .usual))
            isWatching = state.beginWatch()
            return false
        }
        if isIn { return jobs.async { job(nil) } }
        metrics?.enqueue()
        if isWatching { watch() }
    }

    /// Releases a slot to the next access.
    ///
    /// - Parameter number: What `enter` has returned; 0 if there is only one slot.
    /// - Returns: Whether another access waited.
    @discardableResult
    func leave(_ number: Int = 0) -> Bool {
        if let turn = unretainedTurn, !turn._withUnsafeGuaranteedRef({ $0.endReservation() }) {
            return false
        }
        // Mostly no access waits. Then no entry is handled, which costs more than the lock.
        if state.withLock({ $0.freeIfUnwanted(number) }) { return false }
        admitNext(to: number)
        return true
    }

    /// Takes the only slot without the lock, if it is free and the gate open; returns whether it did.
    @inline(__always)
    private var takesOnlySlot: Bool {
        guard let turn = unretainedTurn, !refusesReservations else { return false }
        return turn._withUnsafeGuaranteedRef { $0.reserve() }
    }

    private func admitNext(to number: Int) {
        let (next, isWatching) = state.withLock { state in
            (state.admitNext(to: number), state.beginWatch())
        }
        if let next { wake(next) }
        if isWatching { watch() }
    }

    /// Whether reads may reserve no more slots, since the gate is closed.
    @inline(__always)
    var refusesReservations: Bool { isClosed.load(ordering: .relaxed) }

    /// Admits no further access; those that wait already are still admitted.
    func close() {
        isClosed.store(true, ordering: .relaxed)
        state.withLock { $0.isClosed = true }
    }

    /// Refuses all accesses that wait, and returns their number; they have not entered then.
    func refuseWaiting(_ error: any Error) -> Int {
        refuse(error) { $0.standing != .closing }
    }

    private func refuse(_ error: any Error, _ isMeant: @Sendable (AdmissionEntry) -> Bool) -> Int {
        let refused = state.withLock { state in
            state.leaveQueue(where: isMeant).map { ($0, Self.refuse($0, error)) }
        }
        // Not the queue of the jobs, where one may run for long. Jobs are refused in their
        // order.
        let messenger = DispatchQueue(label: "skiathos.refusals")
        for (entry, continuation) in refused {
            metrics?.giveUp()
            switch entry.waiter {
            case .thread(let thread): thread.resume(.failure(error))
            case .task: continuation?.resume(throwing: error)
            case .job(let job): messenger.async { job(error) }
            }
        }
        return refused.count
    }

    /// Removes an entry from the queue, if it still waits there.
    private func leaveQueue(_ position: Int) -> Bool {
        state.withLock { $0.leaveQueue(position) != nil }
    }

    private func entry(
        _ waiter: AdmissionEntry.Waiter, _ place: SourcePlace?, _ standing: Standing
    ) -> AdmissionEntry {
        AdmissionEntry(waiter: waiter, place: place, standing: standing, start: metrics?.now ?? 0)
    }

    private func wake(_ admitted: AdmissionState.Admitted) {
        switch admitted.entry.waiter {
        case .thread(let thread):
            metrics?.enter(since: admitted.entry.start)
            thread.resume(.success(admitted.place))
        case .task: admitted.continuation?.resume()
        case .job(let job):
            metrics?.enter(since: admitted.entry.start)
            jobs.async { job(nil) }
        }
    }

    /// Refuses an entry that was removed from the queue; returns the continuation of its task,
    /// if that is suspended.
    private static func refuse(
        _ entry: AdmissionEntry, _ error: any Error
    ) -> Continuation<Void, any Error>? {
        guard case .task(let ticket) = entry.waiter else { return nil }
        defer { ticket.continuation = nil }
        ticket.stage = .refused(error)
        return ticket.continuation
    }
}

extension AdmissionGate {
    /// Suspends a task until it gets a slot, or resumes it at once if it has one.
    private func enqueue(
        _ continuation: Continuation<Void, any Error>, _ place: SourcePlace?,
        _ ticket: AdmissionTicket, _ standing: Standing
    ) {
        var isWatching = false
        var isNew = false
        let outcome = state.withLock { state -> Result<Void, any Error>? in
            switch ticket.stage {
            case .granted: return .success(())
            case .refused(let error): return .failure(error)
            case .waiting:
                ticket.continuation = continuation
                return nil
            case .new, .done:
                if standing == .usual, state.isClosed {
                    return Result { try state.requireOpen() }
                }
                if let number = state.takeFreeSlot(place, toClose: standing == .closing) {
                    ticket.stage = .granted(number)
                    return .success(())
                }
                ticket.continuation = continuation
                let entry = entry(.task(ticket), place, standing)
                ticket.stage = .waiting(state.enqueue(entry))
                isNew = true
                isWatching = state.beginWatch()
                return nil
            }
        }
        if isNew { metrics?.enqueue() }
        if isWatching { watch() }
        if let outcome { continuation.resume(with: outcome) }
    }

    /// The slot that a task was given, or `nil` if others have taken it over meanwhile.
    private func claim(_ ticket: AdmissionTicket) throws -> Int? {
        switch try state.withLock({ try $0.claim(ticket) }) {
        case .takenOver: return nil
        case .place(let place, let start):
            if let start { metrics?.enter(since: start) }
            return place
        }
    }

    private func cancel(_ ticket: AdmissionTicket) {
        let continuation = state.withLock { state -> Continuation<Void, any Error>?? in
            switch ticket.stage {
            case .new:
                ticket.stage = .refused(CancellationError())
                return nil
            case .waiting(let position):
                guard let entry = state.leaveQueue(position) else { return nil }
                return .some(Self.refuse(entry, CancellationError()))
            // The slot came first: the task continues and finds out by itself.
            case .granted, .refused, .done: return nil
            }
        }
        guard let continuation else { return }
        metrics?.giveUp()
        continuation?.resume(throwing: CancellationError())
    }
}

extension AdmissionGate {
    private func watch() {
        // A separate serial queue always gets a thread.
        DispatchQueue(label: "skiathos.watch").asyncAfter(deadline: .now() + Self.pause) {
            self.takeOver()
        }
    }

    private func takeOver() {
        let (taken, isWatching) = state.withLock { state in
            (state.takeOver(patience), state.beginWatch())
        }
        for next in taken.admitted { wake(next) }
        if taken.isPatienceOver { refuseTasks() }
        if isWatching { watch() }
    }

    /// Refuses the tasks that get no thread, which a blocking close would wait for without
    /// end.
    private func refuseTasks() {
        let error = DataAccessError(
            .closed,
            "The data access layer was closed by a blocking call, which left no thread for this call's task. Nothing of it was done. Use `await close()`."
        )
        // First those in the queue, so that none of them is given a slot.
        _ = refuse(error) { if case .task = $0.waiter { $0.standing == .usual } else { false } }
        let places = state.withLock { $0.refuseUnclaimed(error) }
        for place in places {
            metrics?.giveUp()
            leave(place)
        }
    }
}
