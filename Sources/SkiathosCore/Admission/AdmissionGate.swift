import Dispatch
import Locks
import SkiathosStore
import Synchronization

/// Lets a number of accesses in at a time, in the order of their arrival: threads, tasks and
/// jobs alike.
///
/// A waiting task blocks no thread.
final class AdmissionGate: Sendable {
    private enum Waiter {
        case thread(BlockedThread)
        case task(CheckedContinuation<Int, any Error>)
        case job(Job)
    }

    private struct Entry {
        let waiter: Waiter
        /// Where it was called, if somebody wants to know who is in.
        let place: SourcePlace?
        /// Whether it wants to close, which nobody can turn away.
        let isClosing: Bool
        /// Since when it waits, in nanoseconds of uptime, if that is measured.
        let start: UInt64
    }

    private struct State {
        /// The places that nobody has, the one that was given back last at the end.
        var free: [Int]
        /// Who is in each place, as far as he has said where he was called.
        var occupants: [RunningRead?]
        var isClosed = false
        /// Those that wait, the first first, with numbers by which a cancelled one is found.
        var waiting = WaitingLine<Entry>()
    }

    /// Work that is run when it is its turn, or told why it is not.
    typealias Job = @Sendable (_ refusal: (any Error)?) -> Void

    private let state: Lock<State>
    private let jobLimit: Int
    private let jobs: DispatchQueue
    /// What those that wait are counted by; nobody else costs anything.
    private let metrics: QueueMetrics?

    /// How many wait at this moment.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Whether there is no room at this moment.
    var isOccupied: Bool { state.withLock { $0.free.isEmpty } }

    /// How many are in at this moment.
    var insideCount: Int { state.withLock { $0.occupants.count - $0.free.count } }

    /// Who has been in for the longest time, of those that have said where they were called.
    var oldestOccupant: RunningRead? {
        state.withLock { $0.occupants.compactMap { $0 }.min { $0.start < $1.start } }
    }

    /// - Parameters:
    ///   - capacity: How many may be in at once.
    ///   - jobLimit: How many may wait before further jobs are refused. Threads and tasks are
    ///     held back by their waiting.
    init(capacity: Int, jobLimit: Int, label: String, metrics: QueueMetrics? = nil) {
        state = Lock(
            State(
                free: Array((0..<capacity).reversed()),
                occupants: Array(repeating: nil, count: capacity)))
        self.jobLimit = jobLimit
        jobs = DispatchQueue(label: label)
        self.metrics = metrics
    }

    /// Enters, blocking the thread until it is its turn, and returns the number of its place.
    ///
    /// - Parameter place: Where it was called, for ``oldestOccupant``.
    @discardableResult
    func enter(from place: SourcePlace? = nil, evenIfClosed: Bool = false) throws -> Int {
        var thread: BlockedThread?
        let number = try state.withLock { state -> Int in
            if !evenIfClosed { try Self.requireOpen(state) }
            if let number = Self.takeFreePlace(&state, place) { return number }
            let waiting = BlockedThread()
            thread = waiting
            _ = state.waiting.append(entry(.thread(waiting), place, isClosing: evenIfClosed))
            return -1
        }
        guard let thread else { return number }
        metrics?.lineUp()
        return try thread.wait()
    }

    /// Enters when it is the task's turn, and returns the number of its place.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that; it has not entered then.
    @discardableResult
    func enter(from place: SourcePlace? = nil, evenIfClosed: Bool = false) async throws -> Int {
        if let number = try state.withLock({ state in
            if !evenIfClosed { try Self.requireOpen(state) }
            return Self.takeFreePlace(&state, place)
        }) {
            return number
        }
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.lineUp(continuation, place, ticket, evenIfClosed: evenIfClosed)
            }
        } onCancel: {
            self.cancel(ticket)
        }
    }

    /// Runs a job when it is its turn, on a queue of the gate's own.
    ///
    /// The job leaves by itself.
    func submit(_ job: @escaping Job) throws {
        let isIn = try state.withLock { state in
            try Self.requireOpen(state)
            if Self.takeFreePlace(&state, nil) != nil { return true }
            guard state.waiting.count < jobLimit else {
                throw DataAccessError(
                    .tooManyWaitingWrites,
                    "\(state.waiting.count) writes wait already, which is the limit. Use a write that waits, or raise Configuration.maximumWaitingWrites."
                )
            }
            _ = state.waiting.append(entry(.job(job), nil, isClosing: false))
            return false
        }
        if isIn { jobs.async { job(nil) } } else { metrics?.lineUp() }
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
        let next = state.withLock { state -> Entry? in
            guard let next = state.waiting.popFirst() else {
                state.free.append(number)
                return nil
            }
            state.occupants[number] = next.place.map { RunningRead(place: $0, start: .now) }
            return next
        }
        guard let next else { return }
        metrics?.enter(since: next.start)
        switch next.waiter {
        case .thread(let thread): thread.resume(.success(number))
        case .task(let continuation): continuation.resume(returning: number)
        case .job(let job): jobs.async { job(nil) }
        }
    }

    /// Lets nobody else in from now on; those that wait already are still served.
    func close() { state.withLock { $0.isClosed = true } }

    /// Turns away all that wait, who have not entered then, and returns how many they were.
    func refuseWaiting(_ error: any Error) -> Int {
        let refused = state.withLock { state in
            var all: [Entry] = []
            while let entry = state.waiting.popFirst() { all.append(entry) }
            for entry in all where entry.isClosing { _ = state.waiting.append(entry) }
            return all.filter { !$0.isClosing }
        }
        // Not the queue of the jobs, where one may be under way for long. Jobs hear it in order.
        let messenger = DispatchQueue(label: "skiathos.refusals")
        for entry in refused {
            metrics?.giveUp()
            switch entry.waiter {
            case .thread(let thread): thread.resume(.failure(error))
            case .task(let continuation): continuation.resume(throwing: error)
            case .job(let job): messenger.async { job(error) }
            }
        }
        return refused.count
    }

    private func lineUp(
        _ continuation: CheckedContinuation<Int, any Error>, _ place: SourcePlace?,
        _ ticket: Ticket, evenIfClosed: Bool
    ) {
        let outcome = ticket.state.withLock { ticket -> Result<Int?, any Error> in
            if case .cancelled = ticket { return .failure(CancellationError()) }
            return state.withLock { state in
                if !evenIfClosed, state.isClosed { return .failure(Self.closedError) }
                if let number = Self.takeFreePlace(&state, place) { return .success(number) }
                let entry = entry(.task(continuation), place, isClosing: evenIfClosed)
                ticket = .waiting(state.waiting.append(entry))
                return .success(nil)
            }
        }
        switch outcome {
        case .success(let number?): continuation.resume(returning: number)
        case .success(nil): metrics?.lineUp()
        case .failure(let error): continuation.resume(throwing: error)
        }
    }

    private func cancel(_ ticket: Ticket) {
        let waiter = ticket.state.withLock { ticket -> Waiter? in
            defer { ticket = .cancelled }
            guard case .waiting(let number) = ticket else { return nil }
            return state.withLock { $0.waiting.remove(number)?.waiter }
        }
        // Without a waiter the turn came first: the task goes on and finds out by itself.
        if case .task(let continuation) = waiter {
            metrics?.giveUp()
            continuation.resume(throwing: CancellationError())
        }
    }

    private func entry(_ waiter: Waiter, _ place: SourcePlace?, isClosing: Bool) -> Entry {
        Entry(waiter: waiter, place: place, isClosing: isClosing, start: metrics?.now ?? 0)
    }

    private static func takeFreePlace(_ state: inout State, _ place: SourcePlace?) -> Int? {
        guard let number = state.free.popLast() else { return nil }
        if let place { state.occupants[number] = RunningRead(place: place, start: .now) }
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

/// A thread that waits for its turn.
private final class BlockedThread: Sendable {
    private let semaphore = DispatchSemaphore(value: 0)
    private let place = Lock<Result<Int, any Error>?>(nil)

    /// Waits, and returns the number of the place.
    func wait() throws -> Int {
        if let place = GivingWay.awaitShortly({ place.withLock { $0 } }) { return try place.get() }
        while true {
            semaphore.wait()
            if let place = place.withLock({ $0 }) { return try place.get() }
        }
    }

    func resume(_ result: Result<Int, any Error>) {
        place.withLock { $0 = result }
        semaphore.signal()
    }
}

/// Where a task's wait stands, shared with its cancellation handler.
private final class Ticket: Sendable {
    enum State {
        /// Not in line. Exits: `.waiting`; `.cancelled`.
        case new
        /// In line under a number. Exit: `.cancelled`.
        case waiting(Int)
        /// Cancelled. No exit.
        case cancelled
    }

    // Locked before the gate's own state where both are needed.
    let state = Lock(State.new)
}
