import Skiathos
import SkiathosCore
import SkiathosStore

/// The writes of a ``FaultRun``, their reported outcomes, and whether these are true.
struct FaultAttempts {
    /// The reported outcome of a write.
    private enum Answer {
        /// It is there.
        case done(Acknowledgement)
        /// It may be there or not.
        case unknown
        /// It is not there.
        case notDone
    }

    /// How many items a write makes, which must be there all or none.
    private static let itemsPerWrite = 3

    private var answers: [Answer]
    private(set) var outcomes: [StoreError.Outcome: Int] = [:]
    var problems: [String] = []
    /// Merged writes that reads have missed, as problems unless their loss is reported.
    private var missing: [String] = []

    /// Whether errors are judged elsewhere.
    var allowsEveryCode = false
    /// The codes of errors that may occur.
    private var codes: Set<StoreError.Code> = [
        .diskFull, .inputOutput, .notPermitted, .busy, .damaged, .notADatabase,
    ]

    /// - Parameters:
    ///   - numbers: What the store begins with.
    ///   - fault: What fails.
    init(_ numbers: Set<Int>, _ fault: Fault? = nil) {
        answers = (0..<((numbers.max() ?? -1) + 1)).map {
            numbers.contains($0) ? .done(.committed) : .notDone
        }
    }

    /// Makes the next write, which is a little of everything; returns its error.
    @discardableResult
    mutating func write(
        _ dal: DataAccessLayer, _ level: Acknowledgement, isExclusive: Bool = false
    ) async -> (any Error)? {
        let number = answers.count
        do {
            try await dal.write(acknowledging: level) { context in
                for part in 0..<Self.itemsPerWrite {
                    try Item.create(id: Item.ID(rawValue: "\(number)-\(part)"), in: context) {
                        $0.sequence = number
                        $0.text = String(repeating: "x", count: 400)
                    }
                    if isExclusive { _ = try Item.count(in: context) }
                }
            }
            answers.append(.done(level))
            return nil
        } catch {
            let outcome = checkError(error)
            outcomes[outcome, default: 0] += 1
            switch outcome {
            case .notCommitted: answers.append(.notDone)
            case .committed: answers.append(.done(.committed))
            case .unknown: answers.append(.unknown)
            }
            return error
        }
    }

    /// Checks that an error is one that a program can act on; returns the outcome that it
    /// reports.
    @discardableResult
    mutating func checkError(_ error: any Error) -> StoreError.Outcome {
        if let error = error as? DataAccessError, error.code == .transactionLost {
            return .notCommitted
        }
        guard let error = error as? StoreError, allowsEveryCode || codes.contains(error.code)
        else {
            problems.append("No caller can act on this error: \(error)")
            return .unknown
        }
        return error.outcome
    }

    /// Makes sure that the error of opening is one that a program can act on.
    mutating func checkRefusal(_ error: any Error) {
        if let error = error as? StoreError, error.code == .backend {
            return
        }
        checkError(error)
    }

    /// The numbers of the writes that are there.
    mutating func numbers(in dal: DataAccessLayer) async throws -> Set<Int> {
        let items: [Item] = try await dal.read { try Item.all(in: $0) }
        let counts = Dictionary(grouping: items, by: \.sequence).mapValues(\.count)
        for (number, count) in counts where count != Self.itemsPerWrite {
            problems.append("Of write \(number) there are \(count) items.")
        }
        return Set(counts.keys)
    }

    /// Compares the contents of the store with the reported outcomes.
    ///
    /// Merged writes that are missing must have been reported, which may happen a moment after a
    /// read has missed them; ``settle(_:)`` decides.
    mutating func check(_ numbers: Set<Int>, _ where: String) {
        for (number, answer) in answers.enumerated() {
            switch answer {
            case .done(let level) where !numbers.contains(number):
                let problem = "Write \(number), done as \(level), is missing in \(`where`)."
                if level > .merged { problems.append(problem) } else { missing.append(problem) }
            case .notDone where numbers.contains(number):
                problems.append("Write \(number), not done, is there in \(`where`).")
            default: break
            }
        }
    }

    /// The numbers of the writes that are there for certain.
    var lasting: Set<Int> {
        Set(
            answers.indices.filter { number in
                if case .done(let level) = answers[number] { return level > .merged }
                return false
            })
    }

    /// What was merged before a loss was reported may be there or not from now on.
    ///
    /// Called after the store was closed, which has then reported everything.
    mutating func settle(_ failures: FailureList) {
        defer { missing = [] }
        guard failures.hasLosses else {
            problems += missing
            return
        }
        for (number, answer) in answers.enumerated() {
            if case .done(.merged) = answer { answers[number] = .unknown }
        }
    }
}
