import SkiathosLocks
import SkiathosStore
import Synchronization

/// The rows of a query that one observer keeps up to date, as differences.
///
/// Where the sort keys and the condition allow it, a difference is computed from the rows that
/// commits have changed, without reading the list again.
final class LiveList<E: Entity>: AnyLiveQuery {
    private typealias Update = OrderedRows<E>.Update

    private struct State {
        /// What changed rows have become since the last difference.
        var updates: [E.ID: Update] = [:]
        /// Whether the list has to be read, since rows may have changed in another way.
        var mustRead = true
        /// The batches that came while the list was read.
        var batches: [BatchChanges]?
        /// The version that was read last; `nil` if it is not known.
        var version: UInt64?
        var isEnded = false
        /// Resumed with whether the observer goes on.
        var waiter: Continuation<Bool, Never>?

        var isDue: Bool { mustRead || !updates.isEmpty }

        mutating func takeWaiter() -> Continuation<Bool, Never>? {
            defer { waiter = nil }
            return waiter
        }
    }

    /// How many changed rows are kept before the list is read instead.
    private static var updateLimit: Int { 10_000 }

    /// Never held while other code is called.
    private let state = Lock(State())
    /// The observers that pause between two values.
    let pauses = Pauses()
    private let coordinator: AccessCoordinator
    private let place: SourcePlace
    private let query: Query<E>
    /// `nil` if the list has to be read after each change.
    private let rules: ListRules?

    init(_ coordinator: AccessCoordinator, _ place: SourcePlace, _ query: Query<E>) {
        self.coordinator = coordinator
        self.place = place
        self.query = query
        rules = ListRules(query, in: coordinator.store.schema)
    }

    var needsRows: Bool { rules != nil }

    /// An empty list in the order of the query; `nil` if the store alone knows that order.
    var emptyList: OrderedRows<E>? { rules.map { OrderedRows(order: $0.order) } }

    /// What the observer learns next.
    enum Change: Sendable {
        /// All rows of the query.
        case list([E])
        /// What some rows have become.
        case updates([E.ID: OrderedRows<E>.Update])
    }

    /// The next change; `nil` if the store was closed or the task cancelled.
    ///
    /// - Parameter isFirst: Whether the observer has no list yet.
    /// - Throws: the error of the first read.
    func next(isFirst: Bool) async throws -> Change? {
        while await wait(isFirst: isFirst) {
            if let updates = takeUpdates() { return .updates(updates) }
            do {
                return .list(try await read())
            } catch is CancellationError where Task.isCancelled {
                return nil
            } catch {
                if isFirst { throw error }
                if (error as? DataAccessError)?.code == .closed { return nil }
                coordinator.reportFailure(BackgroundFailure(operation: .observation, error: error))
            }
        }
        return nil
    }

    func committed(_ changes: BatchChanges) {
        let waiter = state.withLock { state -> Continuation<Bool, Never>? in
            if state.batches != nil {
                state.batches?.append(changes)
                return nil
            }
            add(changes, &state)
            return state.isDue ? state.takeWaiter() : nil
        }
        waiter?.resume(returning: true)
    }

    func end() {
        let waiter = state.withLock { state in
            state.isEnded = true
            return state.takeWaiter()
        }
        waiter?.resume(returning: false)
        pauses.end()
    }
}

extension LiveList {
    /// Adds what the rows of a batch have become, unless the last read has seen them.
    private func add(_ changes: BatchChanges, _ state: inout State) {
        guard !state.mustRead else { return }
        guard let rules, let read = state.version, let version = changes.version else {
            return requireRead(&state)
        }
        guard version > read else { return }
        switch changes.rows(of: rules.entity) {
        case nil: break
        case .unknown?: requireRead(&state)
        case .known(let rows)?:
            do {
                for row in rows { try add(row, rules, &state) }
            } catch {
                // A row that the store holds can be decoded; if not, reading it says why.
                return requireRead(&state)
            }
            if state.updates.count > Self.updateLimit { requireRead(&state) }
        }
    }

    private func add(_ row: ChangedRow, _ rules: ListRules, _ state: inout State) throws {
        let isIn = rules.contains(row.after) ?? true
        if isIn, let after = row.after {
            let value = try E(committed: after)
            state.updates[value.id] = .present(value)
        } else if let values = row.after ?? row.before {
            let id = try ValueRow([values[0]]).read { try E.ID(row: $0, column: 0) }
            let wasIn = rules.contains(row.before) ?? true
            if wasIn || state.updates[id] != nil { state.updates[id] = .absent }
        }
    }

    private func requireRead(_ state: inout State) {
        state.mustRead = true
        state.updates = [:]
    }

    private func takeUpdates() -> [E.ID: OrderedRows<E>.Update]? {
        state.withLock { state in
            guard !state.mustRead else { return nil }
            defer { state.updates = [:] }
            return state.updates
        }
    }

    private func wait(isFirst: Bool) async -> Bool {
        await withTaskCancellationHandler {
            await withContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    // Cancelled before the handler could find the waiter.
                    if Task.isCancelled { return false }
                    // A closed store refuses the first read.
                    if state.isEnded { return isFirst }
                    if state.isDue { return true }
                    state.waiter = continuation
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            state.withLock { $0.takeWaiter() }?.resume(returning: false)
        }
    }

    private func read() async throws -> [E] {
        let notifier = coordinator.main.observers
        state.withLock { state in
            state.mustRead = false
            state.updates = [:]
            state.batches = []
        }
        let start = notifier.live.beginRead(notifier)
        let tracker = ReadTracker()
        do {
            let (rows, version) = try await coordinator.read(place) { [query] context in
                context.track(tracker)
                let version = try context.query { $0.committedVersion }
                return (try query.all(in: context), version)
            }
            finish(version, isOutdated: endRead(start, tracker, isComplete: true))
            return rows
        } catch {
            _ = endRead(start, tracker, isComplete: false)
            // The next change leads to another read.
            state.withLock { state in
                state.batches = nil
                state.version = nil
            }
            throw error
        }
    }

    /// Takes the batches that came during a read, as far as it has not seen them.
    private func finish(_ version: UInt64?, isOutdated: Bool) {
        state.withLock { state in
            state.version = version
            let batches = state.batches ?? []
            state.batches = nil
            if isOutdated { requireRead(&state) }
            for batch in batches { add(batch, &state) }
        }
    }

    /// Observes what was read; returns whether a commit may have changed it meanwhile.
    private func endRead(_ start: UInt64, _ tracker: ReadTracker, isComplete: Bool) -> Bool {
        let notifier = coordinator.main.observers
        return notifier.live.endRead(
            self, start, tracker.dependencies(in: coordinator.store.schema),
            isComplete: isComplete, notifier, coordinator.commits)
    }
}
