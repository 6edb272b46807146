import Skiathos
import SkiathosStore

/// The writes of a ``JoinedBatchRun``, their answers, and whether these are true.
struct JoinedBatchModel {
    private enum Answer {
        /// The rows with these IDs were inserted.
        case done([Player.ID])
        case unknown
        case notDone
    }

    private var writes: [(write: JoinedWrite, answer: Answer)] = []
    private(set) var problems: [String] = []

    /// Adds a write, with its answer.
    ///
    /// - Parameter isSound: Whether nothing has failed yet.
    mutating func add(_ write: JoinedWrite, _ result: Result<[Player.ID], any Error>, isSound: Bool)
    {
        switch result {
        case .success(let ids):
            if !write.isSound { problems.append("\(write) was done.") }
            writes.append((write, .done(ids)))
        case .failure(let error):
            if isSound, !write.isExpected(error) { problems.append("\(write) failed: \(error)") }
            writes.append((write, answer(to: error)))
        }
    }

    private mutating func answer(to error: any Error) -> Answer {
        switch error {
        case let error as StoreError:
            switch error.outcome {
            case .notCommitted: return .notDone
            case .unknown: return .unknown
            // Of what was to be durable.
            case .committed: return .done([])
            }
        case is CancellationError: return .notDone
        case let error as DataAccessError where error.code == .transactionLost: return .notDone
        default:
            problems.append("No caller can act on this error: \(error)")
            return .unknown
        }
    }

    /// Compares the players of a store with the answers.
    ///
    /// - Parameter isReopened: Whether the store was opened again. What was reported as lost may be
    ///   there then, since the WAL may hold a part of its commit.
    mutating func check(
        _ ranks: [String: Int], _ failures: FailureList, isReopened: Bool
    ) {
        let losses = failures.all.filter { $0.operation == .commit }
        let lost = Set(
            losses.flatMap(\.lostChanges).flatMap { $0.ids(of: Player.self)?.inserted ?? [] })
        var missing = 0
        for (write, answer) in writes {
            let there = write.effect.count { ranks[$0.key] == $0.value }
            let isThere = there == write.effect.count
            if there > 0, !isThere { problems.append("A part of \(write) is there.") }
            switch answer {
            case .unknown: break
            case .notDone where there > 0:
                problems.append("\(write) is there, and was not done.")
            case .notDone: break
            case .done(let ids):
                let isReported =
                    write.level == .merged
                    && (!ids.isEmpty ? lost.isSuperset(of: ids) : !losses.isEmpty)
                if isThere, isReported, !ids.isEmpty, !isReopened {
                    problems.append("\(write) is there, and was reported as lost.")
                }
                guard !isThere else { continue }
                missing += 1
                if !isReported { problems.append("\(write) was done, and is missing.") }
            }
        }
        let reported = losses.reduce(0) { $0 + $1.lostWrites }
        if !isReopened, missing != reported {
            problems.append("\(reported) writes were reported as lost, and \(missing) are missing.")
        }
        for (name, rank) in JoinedBatchBase.ranks {
            guard let found = ranks[name], found == rank || found > 0 else {
                problems.append("The player of rank \(rank) has changed.")
                continue
            }
        }
    }

    mutating func add(_ problem: String) { problems.append(problem) }
}
