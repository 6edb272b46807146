import Dispatch
import Skiathos
import Synchronization

/// Listeners to the commits of a store, for as long as they are held.
struct Listeners {
    fileprivate var users: [ChangeFeed<User>] = []
    fileprivate var companies: [ChangeFeed<Company>] = []
    fileprivate var tasks: [Task<Void, Never>] = []
}

extension SkiathosContestant {
    /// Adds listeners.
    func listen(_ count: Int, _ listening: Listening) throws -> Listeners {
        var listeners = Listeners()
        switch listening {
        case .feedsOfSame:
            listeners.users = (0..<count).map { _ in dal.changes(of: User.self) }
        case .feedsOfOther:
            listeners.companies = (0..<count).map { _ in dal.changes(of: Company.self) }
        case .observationsOfOther:
            listeners.tasks = try observe(count) { [dal] _ in
                dal.observe { try Company.count(in: $0) }
            }
        case .observationsOfOtherRows:
            // Of IDs that no row has: no work is done to them.
            listeners.tasks = try observe(count) { [dal] number in
                dal.observe(User.ID(rawValue: Int64(1_000_000_000 + number)))
            }
        case .observationsOfRows:
            listeners.tasks = try observe(count) { [dal] number in
                dal.observe(User.ID(rawValue: Int64(number + 1)))
            }
        }
        return listeners
    }

    /// Observations that have their first value, and wait for another.
    private func observe<Value: Sendable>(
        _ count: Int, _ sequence: @escaping @Sendable (Int) -> ObservedValues<Value>
    ) throws -> [Task<Void, Never>] {
        let started = DispatchSemaphore(value: 0)
        let outcome = ObservationOutcome()
        let tasks = (0..<count).map { number in
            Task.detached {
                do {
                    for try await _ in sequence(number) { started.signal() }
                } catch {
                    outcome.fail(error)
                    started.signal()
                }
            }
        }
        for _ in 0..<count { started.wait() }
        if let error = outcome.error { throw error }
        return tasks
    }
}

/// Why an observation has ended, if one has.
private final class ObservationOutcome: Sendable {
    private let failure = Mutex<(any Error)?>(nil)

    var error: (any Error)? { failure.withLock { $0 } }

    func fail(_ error: any Error) { failure.withLock { $0 = error } }
}
