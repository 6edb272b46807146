import SkiathosCore
import SkiathosLocks
import SkiathosStore
import Synchronization

/// What has happened in a history, noted from any thread.
final class Journal: Sendable {
    private struct Content {
        var operations: [HistoryOperation] = []
        var violations: [HistoryViolation] = []
        /// Enqueued writes without an outcome yet, and since when.
        var enqueued: [(call: Call, time: Int)] = []
    }

    /// A call that was made.
    struct Call: Sendable {
        let operation: PlannedOperation
        let notebook = Notebook()
        /// When it was made.
        let time: Int
    }

    private let clock = Atomic<Int>(0)
    private let content = Lock(Content())
    let witness: Witness?
    private let defaultLevel: Acknowledgement

    init(witness: Witness?, defaultLevel: Acknowledgement) {
        self.witness = witness
        self.defaultLevel = defaultLevel
    }

    var operations: [HistoryOperation] { content.withLock { $0.operations } }
    var violations: [HistoryViolation] { content.withLock { $0.violations } }

    /// The next instant of the history.
    func now() -> Int { clock.add(1, ordering: .sequentiallyConsistent).newValue }

    func call(_ operation: PlannedOperation) -> Call { Call(operation: operation, time: now()) }

    /// Notes how a call has ended.
    func end(_ call: Call, _ result: Result<Void, any Error>) {
        end(call, result, at: now(), level: call.operation.level ?? defaultLevel)
    }

    private func end(
        _ call: Call, _ result: Result<Void, any Error>, at time: Int, level: Acknowledgement
    ) {
        let plan = call.operation
        let page = call.notebook.page
        var entry = HistoryOperation(plan.number, called: call.time, returned: time, page.accesses)
        entry.client = plan.client
        entry.form = plan.formText
        entry.isRead = plan.isRead
        entry.isAwaited = plan.isAwaited
        entry.outcome = outcome(of: result, plan)
        entry.takesPlace = plan.isCounted && !plan.isRead
        let isPlaced = entry.takesPlace && entry.outcome == .done
        entry.place = page.seenPlace.map { isPlaced ? $0 + 1 : $0 }
        if let witness, entry.outcome == .done, entry.takesPlace {
            entry.evidence = HistoryOperation.Evidence(
                committed: level >= .committed ? entry.place : nil,
                durable: level == .durable ? entry.place : nil,
                committedInStore: witness.committed, durableInStore: witness.durable)
        }
        // What waited in vain has not run; all else has, and once.
        if page.runs > 1 || (page.runs == 0 && entry.outcome == .done && plan.form != .flush) {
            note(.closureRuns, "The closure of \(entry) ran \(page.runs) times.")
        }
        content.withLock { $0.operations.append(entry) }
    }

    private func outcome(
        of result: Result<Void, any Error>, _ plan: PlannedOperation
    ) -> HistoryOperation.Outcome {
        switch result {
        case .success:
            if plan.isRefused || plan.isDangling {
                note(.failure, "The error of #\(plan.number) was not thrown.")
            }
            return .done
        case .failure(let error as StoreError)
        where plan.isDangling && error.code == .foreignKeyViolation:
            return .notDone
        case .failure(let error as RefusedOperation) where error.number == plan.number:
            return .notDone
        case .failure(is CancellationError) where plan.cancellation != .never: return .notDone
        case .failure(let error):
            note(.failure, "#\(plan.number) (\(plan.formText)) failed: \(error)")
            guard let error = error as? StoreError else { return .unknown }
            switch error.outcome {
            case .notCommitted: return .notDone
            case .committed: return .done
            case .unknown: return .unknown
            }
        }
    }

    func note(_ rule: HistoryViolation.Rule, _ text: String) {
        content.withLock { $0.violations.append(HistoryViolation(rule, text)) }
    }

    /// Records a call whose outcome is not known before a flush.
    func enqueued(_ call: Call) {
        let time = now()
        content.withLock { $0.enqueued.append((call, time)) }
    }

    /// Notes a flush, which ends every write that was enqueued before it was called.
    func flushed(_ call: Call, _ result: Result<Void, any Error>) {
        let calls = content.withLock { content in
            let calls = content.enqueued.filter { $0.time < call.time }.map(\.call)
            content.enqueued.removeAll { $0.time < call.time }
            return calls
        }
        let time = now()
        let level = call.operation.level ?? .durable
        for call in calls {
            // Its error goes to the handler of the configuration.
            let refused = RefusedOperation(number: call.operation.number)
            end(
                call, call.operation.isRefused ? .failure(refused) : result, at: time, level: level)
        }
        end(call, result, at: time, level: level)
    }
}
