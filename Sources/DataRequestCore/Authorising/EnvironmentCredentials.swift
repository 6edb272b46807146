#if RequestCore
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization

/// The authoriser of an environment, which can be replaced at any time, and its refreshes.
///
/// One refresh runs at a time.
final class EnvironmentCredentials: Sendable {
    /// The services whose credentials the current task refreshes.
    ///
    /// Requests of a refresh over the same service carry no rejected credentials and do not
    /// wait for the refresh; those over other services are like any other.
    @TaskLocal static var refreshing: Set<UUID> = []

    /// The authoriser at the start of an exchange.
    struct Ticket: Sendable {
        var authoriser: any Authoriser
        /// How often the authoriser had been replaced.
        var replacements: Int
        /// How many refreshes had ended.
        var refreshes: Int
        /// The revision of the credentials that the request carries.
        var revision = 0
    }

    private struct State {
        var authoriser: (any Authoriser)?
        var replacements = 0
        var refreshes = 0
        /// The running refresh of the current authoriser.
        var running: Task<Bool, any Error>?
        /// The result of the last refresh; nil before the first.
        var last: Result<Bool, any Error>?
        /// Whether no authoriser can be set any more.
        var isClosed = false
    }

    /// Identifies the service, also in tasks that outlive it.
    let service: UUID
    private let state: Lock<State>

    /// Makes the credentials of an environment; those of one service have one identity.
    init(_ authoriser: (any Authoriser)?, of service: UUID) {
        self.service = service
        state = Lock(State(authoriser: authoriser))
    }

    /// The authoriser of exchanges that begin from now on.
    var authoriser: (any Authoriser)? {
        get { state.withLock { $0.authoriser } }
        set {
            // The old authoriser is freed outside of the lock, since it may use the service.
            let before = state.withLock { state in
                defer {
                    if !state.isClosed {
                        state = State(authoriser: newValue, replacements: state.replacements + 1)
                    }
                }
                return state
            }
            withExtendedLifetime(before) {}
        }
    }

    /// Releases the authoriser and accepts no other, since no request follows.
    ///
    /// An authoriser may use the service for its refreshes; without this both would retain
    /// each other.
    func close() {
        let before = state.withLock { state in
            defer { state = State(replacements: state.replacements + 1, isClosed: true) }
            return state
        }
        withExtendedLifetime(before) {}
    }

    /// Distinguishes responses for one credential from those for another; nil without
    /// credentials.
    ///
    /// It changes with each replacement of the authoriser and of its credentials. So an exchange
    /// that finds the same version before and afterwards has carried what the version stands for.
    var version: String? {
        guard let ticket = ticket() else { return nil }
        return "\(ticket.replacements).\(ticket.refreshes).\(ticket.authoriser.revision)"
    }

    /// The authoriser for an exchange that begins now; nil if there is none, and for the
    /// requests of a refresh over its own service.
    func ticket() -> Ticket? {
        guard !Self.refreshing.contains(service) else { return nil }
        return state.withLock { state in
            state.authoriser.map {
                Ticket(
                    authoriser: $0, replacements: state.replacements, refreshes: state.refreshes)
            }
        }
    }

    /// Refreshes the credentials that an exchange was rejected with, unless that is already
    /// done.
    ///
    /// - Returns: Whether there are other credentials now.
    func refresh(_ ticket: Ticket, after rejection: AuthorisationRejection) async throws -> Bool {
        enum Step {
            case done(Bool)
            case known(Result<Bool, any Error>)
            case wait(Task<Bool, any Error>)
        }
        // Read without the lock, since the authoriser may use the service.
        let isRejected = ticket.authoriser.revision == ticket.revision
        let step: Step = state.withLock { state in
            guard state.replacements == ticket.replacements else {
                return .done(state.authoriser != nil)
            }
            // The authoriser got other credentials while the rejected ones were on their way.
            guard isRejected else { return .done(true) }
            // A refresh that ended after the exchange began counts for it as well.
            if state.refreshes != ticket.refreshes, let last = state.last { return .known(last) }
            if let running = state.running { return .wait(running) }
            let task = Task { try await self.run(ticket, after: rejection) }
            state.running = task
            return .wait(task)
        }
        switch step {
        case .done(let hasOthers): return hasOthers
        case .known(let result): return try result.get()
        case .wait(let task): return try await task.value
        }
    }

    private func run(_ ticket: Ticket, after rejection: AuthorisationRejection) async throws -> Bool
    {
        let result: Result<Bool, any Error>
        do {
            result = .success(
                try await Self.$refreshing.withValue(Self.refreshing.union([service])) {
                    try await ticket.authoriser.refresh(after: rejection)
                })
        } catch {
            result = .failure(error)
        }
        state.withLock { state in
            // The authoriser may have been replaced meanwhile, with a count of its own.
            guard state.replacements == ticket.replacements else { return }
            state.refreshes += 1
            state.running = nil
            state.last = result
        }
        return try result.get()
    }
}
#endif
