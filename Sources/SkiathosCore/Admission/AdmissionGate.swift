import Dispatch
import Locks
import SkiathosStore
import Synchronization

/// Lets a number of accesses in at a time, in the order of their arrival: threads, tasks and
/// jobs alike.
///
/// A waiting task blocks no thread. It needs one of the pool of Swift's tasks when its turn comes,
/// and there may be none: blocking calls can hold them all, while they wait for the same turn. Then
/// the place that was given to the task is given to the next of those calls in line, and the task is
/// put back to the head of the line.
final class AdmissionGate: Sendable {
    /// Which accesses a gate lets in that was closed, and what they may do to waiting tasks.
    enum Standing: Sendable {
        /// Refused once the gate is closed.
        case usual
        /// A part of an access that was accepted before the gate was closed.
        case accepted
        /// Closes the store: comes after all that were accepted. Its thread, if it is a task, is
        /// none of the pool.
        case closing
    }

    private enum Waiter: Sendable {
        case thread(BlockedThread)
        case task(Ticket)
        case job(Job)
    }

    private struct Entry: Sendable {
        let waiter: Waiter
        /// Where the access was called, for ``oldestOccupant``.
        let place: SourcePlace?
        let standing: Standing
        /// Since when it waits, in nanoseconds of uptime, if that is measured.
        let start: UInt64

        /// Whether a thread of the pool waits here, which no task can use meanwhile.
        var holdsPoolThread: Bool {
            if case .thread(let thread) = waiter { thread.isOfPool } else { false }
        }

        /// Whether it goes before tasks that get no thread: threads of the pool, which are free again
        /// then, and jobs, so that those stay in order with the threads that have submitted them.
        var canTakeOver: Bool {
            switch waiter {
            case .thread: holdsPoolThread && standing != .closing
            case .task: false
            case .job: true
            }
        }
    }

    /// A place that was given to a task, which has not come for it yet.
    private struct Grant {
        let entry: Entry
        /// Counts on with each grant.
        let number: Int
    }

    private struct State {
        /// The places that nobody has, the one that was given back last at the end.
        var free: [Int]
        /// The access in each place, as far as it has said where it was called.
        var occupants: [RunningRead?]
        var isClosed = false
        /// Those that wait, the first first, with numbers by which a cancelled one is found.
        var waiting = WaitingLine<Entry>()
        /// How many of them are threads of the pool, those that want to close left out and alone.
        var overtaking = 0
        var closing = 0
        /// What was given to tasks that have not come for it, by place.
        var unclaimed: [Grant?]
        var unclaimedCount = 0
        var grants = 0
        /// The last grant when the watch began that is under way; none without one.
        var watched: Int?
        /// Since when no task has come for its place, as far as the watch knows.
        var stuckSince: ContinuousClock.Instant?
        /// Whether a place was taken over, and no task has come since.
        var isPoolBlocked = false
    }

    /// Work that is run when it is its turn, or told why it is not.
    typealias Job = @Sendable (_ refusal: (any Error)?) -> Void

    /// How long a task has to come for its place before others take it over.
    private static let timeToCome = DispatchTimeInterval.milliseconds(1)
    /// The same where other code may hold threads of the pool, or the machine may be busy.
    private static let longTimeToCome = Duration.seconds(1)

    private let state: Lock<State>
    private let jobLimit: Int
    private let jobs: DispatchQueue
    /// How long a blocking close waits for tasks that get no thread.
    private let patience: Duration
    /// What those that wait are counted by; nobody else costs anything.
    private let metrics: QueueMetrics?
    let capacity: Int

    /// How many wait at this moment.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether there is no room at this moment.
    var isOccupied: Bool { state.withLock { $0.free.isEmpty } }

    /// How many are in at this moment.
    var insideCount: Int { state.withLock { $0.occupants.count - $0.free.count } }

    /// The access that has been in for the longest time, of those that have said where they were
    /// called.
    var oldestOccupant: RunningRead? {
        state.withLock { $0.occupants.compactMap { $0 }.min { $0.start < $1.start } }
    }

    /// - Parameters:
    ///   - capacity: How many may be in at once.
    ///   - jobLimit: How many may wait before further jobs are refused. Threads and tasks are
    ///     held back by their waiting.
    ///   - patience: How long a blocking close waits for a task whose turn has come, and which gets
    ///     no thread.
    init(
        capacity: Int, jobLimit: Int, label: String, patience: Duration,
        metrics: QueueMetrics? = nil
    ) {
        state = Lock(
            State(
                free: Array((0..<capacity).reversed()),
                occupants: Array(repeating: nil, count: capacity),
                unclaimed: Array(repeating: nil, count: capacity)))
        self.capacity = capacity
        self.jobLimit = jobLimit
        self.patience = patience
        jobs = DispatchQueue(label: label)
        self.metrics = metrics
    }

    /// Enters, blocking the thread until it is its turn, and returns the number of its place.
    ///
    /// - Parameters:
    ///   - place: Where it was called, for ``oldestOccupant``.
    ///   - standing: Whether it enters a gate that was closed.
    /// - Throws: `DataAccessError` with the code `closed`, and with `deadlock` if the thread is
    ///   inside another store's closure, for which those wait that it would wait for.
    @discardableResult
    func enter(from place: SourcePlace? = nil, as standing: Standing = .usual) throws -> Int {
        var thread: BlockedThread?
        var position = 0
        var isWatching = false
        let number = try state.withLock { state -> Int in
            if standing == .usual { try Self.requireOpen(state) }
            if let number = Self.takeFreePlace(&state, place) { return number }
            let waiting = BlockedThread()
            thread = waiting
            position = Self.append(entry(.thread(waiting), place, standing), to: &state)
            isWatching = Self.beginWatch(&state)
            return -1
        }
        guard let thread else { return number }
        metrics?.lineUp()
        if isWatching { watch() }
        return try AccessScope.whileWaiting(for: self) {
            try thread.wait()
        } orRefused: { refusal in
            guard leaveLine(position) else { return try thread.wait() }
            metrics?.giveUp()
            throw refusal
        }
    }

    /// Enters when it is the task's turn, and returns the number of its place.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that; it has not entered then.
    @discardableResult
    func enter(from place: SourcePlace? = nil, as standing: Standing = .usual) async throws -> Int {
        var now = CoarseTime.now
        if FairShare.isUsedUp(at: now) {
            await Task.yield()
            now = .now
        }
        if let number = try state.withLock({ state in
            if standing == .usual { try Self.requireOpen(state) }
            return Self.takeFreePlace(&state, place, at: now)
        }) {
            return number
        }
        return try await waitInLine(place, standing)
    }

    private func waitInLine(_ place: SourcePlace?, _ standing: Standing) async throws -> Int {
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            while true {
                try await withCheckedThrowingContinuation { continuation in
                    self.lineUp(continuation, place, ticket, standing)
                }
                if let number = try claim(ticket) { return number }
            }
        } onCancel: {
            self.cancel(ticket)
        }
    }

    /// Runs a job when it is its turn, on a queue of the gate's own.
    ///
    /// The job leaves by itself.
    func submit(_ job: @escaping Job) throws {
        var isWatching = false
        let isIn = try state.withLock { state in
            try Self.requireOpen(state)
            if Self.takeFreePlace(&state, nil) != nil { return true }
            guard state.waiting.count < jobLimit else {
                throw DataAccessError(
                    .tooManyWaitingWrites,
                    "\(state.waiting.count) writes wait already, which is the limit. Use a write that waits, or raise Configuration.maximumWaitingWrites."
                )
            }
            _ = Self.append(entry(.job(job), nil, .usual), to: &state)
            isWatching = Self.beginWatch(&state)
            return false
        }
        if isIn { return jobs.async { job(nil) } }
        metrics?.lineUp()
        if isWatching { watch() }
    }

    /// Makes room for the next one.
    ///
    /// - Parameter number: What `enter` has returned; 0 if there is but
    ///   one place.
    func leave(_ number: Int = 0) {
        // Mostly nobody waits. Then no entry is handled, which costs more than the lock.
        let isDone = state.withLock { state in
            state.occupants[number] = nil
            guard state.waiting.count == 0 else { return false }
            state.free.append(number)
            return true
        }
        if !isDone { admitNext(to: number) }
    }

    private func admitNext(to number: Int) {
        var isWatching = false
        let next = state.withLock { state -> Admitted? in
            // While tasks get no thread, those go first that need none of the pool.
            let overtakes = state.isPoolBlocked && state.overtaking > 0
            guard let next = Self.popFirst(&state, overtaking: overtakes) else {
                state.free.append(number)
                return nil
            }
            let admitted = Self.admit(next, to: number, &state)
            isWatching = Self.beginWatch(&state)
            return admitted
        }
        if let next { wake(next) }
        if isWatching { watch() }
    }

    /// Lets nobody else in from now on; those that wait already are still served.
    func close() { state.withLock { $0.isClosed = true } }

    /// Turns away all that wait, who have not entered then, and returns how many they were.
    func refuseWaiting(_ error: any Error) -> Int {
        refuse(error) { $0.standing != .closing }
    }

    private func refuse(_ error: any Error, _ isMeant: @Sendable (Entry) -> Bool) -> Int {
        let refused = state.withLock { state in
            let refused = state.waiting.removeAll(where: isMeant)
            for entry in refused { Self.count(entry, -1, &state) }
            return refused.map { ($0, Self.refuse($0, error)) }
        }
        // Not the queue of the jobs, where one may be under way for long. Jobs hear it in order.
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

    /// Takes an entry out of the line, if it still waits there.
    private func leaveLine(_ position: Int) -> Bool {
        state.withLock { Self.remove(position, from: &$0) != nil }
    }

    private func entry(_ waiter: Waiter, _ place: SourcePlace?, _ standing: Standing) -> Entry {
        Entry(waiter: waiter, place: place, standing: standing, start: metrics?.now ?? 0)
    }

    private static func takeFreePlace(
        _ state: inout State, _ place: SourcePlace?, at now: CoarseTime? = nil
    ) -> Int? {
        guard let number = state.free.popLast() else { return nil }
        if let place { state.occupants[number] = RunningRead(place: place, start: now ?? .now) }
        return number
    }

    private static func requireOpen(_ state: State) throws {
        if state.isClosed { throw closedError }
    }

    private static var closedError: DataAccessError {
        DataAccessError(
            .closed, "The data access layer was closed. Open it again, or close it later.")
    }
}

// MARK: - The line

extension AdmissionGate {
    /// An entry that was given a place, and the continuation of its task, if that sleeps.
    private typealias Admitted = (
        entry: Entry, place: Int, continuation: CheckedContinuation<Void, any Error>?
    )

    private static func append(_ entry: Entry, to state: inout State) -> Int {
        count(entry, 1, &state)
        return state.waiting.append(entry)
    }

    private static func popFirst(_ state: inout State, overtaking: Bool) -> Entry? {
        let entry =
            overtaking
            ? state.waiting.popFirst { $0.canTakeOver } : state.waiting.popFirst()
        if let entry { count(entry, -1, &state) }
        return entry
    }

    private static func remove(_ position: Int, from state: inout State) -> Entry? {
        let entry = state.waiting.remove(position)
        if let entry { count(entry, -1, &state) }
        return entry
    }

    private static func count(_ entry: Entry, _ change: Int, _ state: inout State) {
        guard entry.holdsPoolThread else { return }
        if entry.standing == .closing {
            state.closing += change
        } else {
            state.overtaking += change
        }
    }

    private static func admit(_ entry: Entry, to number: Int, _ state: inout State) -> Admitted {
        state.occupants[number] = entry.place.map { RunningRead(place: $0, start: .now) }
        guard case .task(let ticket) = entry.waiter else { return (entry, number, nil) }
        let continuation = ticket.continuation
        ticket.continuation = nil
        ticket.stage = .granted(number)
        // A task that closes has a thread.
        if entry.standing != .closing {
            state.grants += 1
            state.unclaimed[number] = Grant(entry: entry, number: state.grants)
            state.unclaimedCount += 1
        }
        return (entry, number, continuation)
    }

    private func wake(_ admitted: Admitted) {
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

    /// Tells an entry that was taken out of the line that it is refused; returns the continuation of
    /// its task, if that sleeps.
    private static func refuse(
        _ entry: Entry, _ error: any Error
    ) -> CheckedContinuation<Void, any Error>? {
        guard case .task(let ticket) = entry.waiter else { return nil }
        defer { ticket.continuation = nil }
        ticket.stage = .refused(error)
        return ticket.continuation
    }
}

// MARK: - Tasks

/// Where a task stands, which may not have a thread at this moment.
private final class Ticket: @unchecked Sendable {
    // Sendable: both fields are touched only while the state of the gate is locked.

    enum Stage {
        /// Not in line. Exits: `.waiting`; `.granted`; `.refused`.
        case new
        /// In line under a number. Exits: `.granted`; `.refused`.
        case waiting(Int)
        /// A place is its own. Exits: `.done` when it comes for it; `.waiting` when others have
        /// taken it over.
        case granted(Int)
        /// It was cancelled or turned away. No exit.
        case refused(any Error)
        /// It has come for its place. No exit.
        case done
    }

    var stage = Stage.new
    /// What wakes it, while it sleeps in line.
    var continuation: CheckedContinuation<Void, any Error>?
}

extension AdmissionGate {
    /// Has a task sleep until it is its turn, or go on at once if it is.
    private func lineUp(
        _ continuation: CheckedContinuation<Void, any Error>, _ place: SourcePlace?,
        _ ticket: Ticket, _ standing: Standing
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
                if standing == .usual, state.isClosed { return .failure(Self.closedError) }
                if let number = Self.takeFreePlace(&state, place) {
                    ticket.stage = .granted(number)
                    return .success(())
                }
                ticket.continuation = continuation
                let entry = entry(.task(ticket), place, standing)
                ticket.stage = .waiting(Self.append(entry, to: &state))
                isNew = true
                isWatching = Self.beginWatch(&state)
                return nil
            }
        }
        if isNew { metrics?.lineUp() }
        if isWatching { watch() }
        if let outcome { continuation.resume(with: outcome) }
    }

    /// The place that a task was given, or nothing if others have taken it over meanwhile.
    private func claim(_ ticket: Ticket) throws -> Int? {
        let (place, start) = try state.withLock { state -> (Int?, UInt64?) in
            // A task runs, so threads of the pool are free.
            state.stuckSince = nil
            state.isPoolBlocked = false
            switch ticket.stage {
            case .granted(let place):
                ticket.stage = .done
                guard let grant = state.unclaimed[place] else { return (place, nil) }
                state.unclaimed[place] = nil
                state.unclaimedCount -= 1
                return (place, grant.entry.start)
            case .refused(let error): throw error
            case .waiting: return (nil, nil)
            case .new, .done:
                preconditionFailure("A task came for a place without having lined up.")
            }
        }
        if let start { metrics?.enter(since: start) }
        return place
    }

    private func cancel(_ ticket: Ticket) {
        let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>?? in
            switch ticket.stage {
            case .new:
                ticket.stage = .refused(CancellationError())
                return nil
            case .waiting(let position):
                guard let entry = Self.remove(position, from: &state) else { return nil }
                return .some(Self.refuse(entry, CancellationError()))
            // Its turn came first: the task goes on and finds out by itself.
            case .granted, .refused, .done: return nil
            }
        }
        guard let continuation else { return }
        metrics?.giveUp()
        continuation?.resume(throwing: CancellationError())
    }
}

// MARK: - The watch

extension AdmissionGate {
    /// Begins to watch whether tasks come for their places, if others would take them over; tells
    /// whether the caller has to call ``watch()``.
    private static func beginWatch(_ state: inout State) -> Bool {
        guard state.watched == nil, state.unclaimedCount > 0,
            state.overtaking > 0 || state.closing > 0
        else { return false }
        state.watched = state.grants
        return true
    }

    private func watch() {
        // A serial queue of its own always gets a thread.
        DispatchQueue(label: "skiathos.watch").asyncAfter(deadline: .now() + Self.timeToCome) {
            self.takeOver()
        }
    }

    /// Gives the places for which no task has come to those in line that hold the threads.
    private func takeOver() {
        var admitted: [Admitted] = []
        var isWatching = false
        var isPatienceOver = false
        state.withLock { state in
            let last = state.watched ?? 0
            state.watched = nil
            for number in state.unclaimed.indices {
                guard let grant = state.unclaimed[number], grant.number <= last else { continue }
                let since = state.stuckSince ?? .now
                state.stuckSince = since
                let time = since.duration(to: .now)
                guard PoolThreads.areAllBlocked || time > Self.longTimeToCome else { break }
                guard state.overtaking > 0, let next = Self.popFirst(&state, overtaking: true)
                else {
                    isPatienceOver = state.isClosed && state.closing > 0 && time > patience
                    break
                }
                state.isPoolBlocked = true
                state.unclaimed[number] = nil
                state.unclaimedCount -= 1
                if case .task(let ticket) = grant.entry.waiter {
                    Self.count(grant.entry, 1, &state)
                    ticket.stage = .waiting(state.waiting.prepend(grant.entry))
                }
                admitted.append(Self.admit(next, to: number, &state))
            }
            isWatching = Self.beginWatch(&state)
        }
        for next in admitted { wake(next) }
        if isPatienceOver { refuseTasks() }
        if isWatching { watch() }
    }

    /// Turns away the tasks that get no thread, which a blocking close would wait for without end.
    private func refuseTasks() {
        let error = DataAccessError(
            .closed,
            "The data access layer was closed by a blocking call, which left no thread for this call's task. Nothing of it was done. Use `await close()`."
        )
        // First those in line, lest one of them is given a place.
        _ = refuse(error) { if case .task = $0.waiter { $0.standing == .usual } else { false } }
        let places = state.withLock { state -> [Int] in
            state.unclaimed.indices.filter { number in
                guard let grant = state.unclaimed[number],
                    case .task(let ticket) = grant.entry.waiter
                else { return false }
                ticket.stage = .refused(error)
                state.unclaimed[number] = nil
                state.unclaimedCount -= 1
                return true
            }
        }
        for place in places {
            metrics?.giveUp()
            leave(place)
        }
    }
}

/// A thread that waits for its turn.
private final class BlockedThread: Sendable {
    /// Whether it runs a task at this moment.
    let isOfPool = PoolThreads.isCurrent
    private let semaphore = DispatchSemaphore(value: 0)
    private let place = Lock<Result<Int, any Error>?>(nil)

    /// Waits, and returns the number of the place.
    func wait() throws -> Int {
        if let place = GivingWay.awaitShortly({ place.withLock { $0 } }) { return try place.get() }
        while true {
            PoolThreads.whileBlocked { semaphore.wait() }
            if let place = place.withLock({ $0 }) { return try place.get() }
        }
    }

    func resume(_ result: Result<Int, any Error>) {
        place.withLock { $0 = result }
        semaphore.signal()
    }
}
