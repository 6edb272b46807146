import Dispatch
import SkiathosStore
import Synchronization

/// Lets a number of accesses in at a time, in the order of their arrival: threads, tasks and
/// jobs alike.
///
/// A waiting task blocks no thread.
final class AdmissionGate: Sendable {
    private enum Waiter {
        case thread(BlockedThread)
        case task(CheckedContinuation<Void, any Error>)
        case job(Job)
    }

    private struct Entry {
        let waiter: Waiter
        /// Whether it wants to close, which nobody can turn away.
        let isClosing: Bool
        /// Since when it waits, in nanoseconds of uptime, if that is measured.
        let start: UInt64
    }

    private struct State {
        var free: Int
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

    /// - Parameters:
    ///   - capacity: How many may be in at once.
    ///   - jobLimit: How many may wait before further jobs are refused. Threads and tasks are
    ///     held back by their waiting.
    init(capacity: Int, jobLimit: Int, label: String, metrics: QueueMetrics? = nil) {
        state = Lock(State(free: capacity))
        self.jobLimit = jobLimit
        jobs = DispatchQueue(label: label)
        self.metrics = metrics
    }

    /// Enters, blocking the thread until it is its turn.
    func enter(evenIfClosed: Bool = false) throws {
        let thread = try state.withLock { state -> BlockedThread? in
            if !evenIfClosed { try Self.requireOpen(state) }
            if Self.takeFreePlace(&state) { return nil }
            let thread = BlockedThread()
            _ = state.waiting.append(entry(.thread(thread), isClosing: evenIfClosed))
            return thread
        }
        guard let thread else { return }
        metrics?.lineUp()
        try thread.wait()
    }

    /// Enters when it is the task's turn.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that; it has not entered then.
    func enter(evenIfClosed: Bool = false) async throws {
        if try state.withLock({ state in
            if !evenIfClosed { try Self.requireOpen(state) }
            return Self.takeFreePlace(&state)
        }) {
            return
        }
        let ticket = Ticket()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                self.lineUp(continuation, ticket, evenIfClosed: evenIfClosed)
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
            if Self.takeFreePlace(&state) { return true }
            guard state.waiting.count < jobLimit else {
                throw DataAccessError(
                    .tooManyWaitingWrites,
                    "\(state.waiting.count) writes wait already, which is the limit. Use a write that waits, or raise Configuration.maximumWaitingWrites."
                )
            }
            _ = state.waiting.append(entry(.job(job), isClosing: false))
            return false
        }
        if isIn { jobs.async { job(nil) } } else { metrics?.lineUp() }
    }

    /// Makes room for the next one.
    func leave() {
        // Mostly nobody waits. Then no entry is handled, which costs more than the lock.
        let isDone = state.withLock { state in
            guard state.waiting.count == 0 else { return false }
            state.free += 1
            return true
        }
        if !isDone { admitNext() }
    }

    private func admitNext() {
        let next = state.withLock { state -> Entry? in
            guard let next = state.waiting.popFirst() else {
                state.free += 1
                return nil
            }
            return next
        }
        guard let next else { return }
        metrics?.enter(since: next.start)
        switch next.waiter {
        case .thread(let thread): thread.resume(nil)
        case .task(let continuation): continuation.resume()
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
            case .thread(let thread): thread.resume(error)
            case .task(let continuation): continuation.resume(throwing: error)
            case .job(let job): messenger.async { job(error) }
            }
        }
        return refused.count
    }

    private func lineUp(
        _ continuation: CheckedContinuation<Void, any Error>, _ ticket: Ticket, evenIfClosed: Bool
    ) {
        let outcome = ticket.state.withLock { ticket -> Result<Bool, any Error> in
            if case .cancelled = ticket { return .failure(CancellationError()) }
            return state.withLock { state in
                if !evenIfClosed, state.isClosed { return .failure(Self.closedError) }
                if Self.takeFreePlace(&state) { return .success(true) }
                let entry = entry(.task(continuation), isClosing: evenIfClosed)
                ticket = .waiting(state.waiting.append(entry))
                return .success(false)
            }
        }
        switch outcome {
        case .success(true): continuation.resume()
        case .success(false): metrics?.lineUp()
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

    private func entry(_ waiter: Waiter, isClosing: Bool) -> Entry {
        Entry(waiter: waiter, isClosing: isClosing, start: metrics?.now ?? 0)
    }

    private static func takeFreePlace(_ state: inout State) -> Bool {
        guard state.free > 0 else { return false }
        state.free -= 1
        return true
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
    private let refusal = Lock<(any Error)?>(nil)

    func wait() throws {
        semaphore.wait()
        if let error = refusal.withLock({ $0 }) { throw error }
    }

    func resume(_ error: (any Error)?) {
        refusal.withLock { $0 = error }
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
