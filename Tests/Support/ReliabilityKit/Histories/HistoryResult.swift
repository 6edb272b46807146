import SkiathosStore

/// What has become of a history: its figures, and what is wrong with it.
package struct HistoryResult: Sendable {
    /// What decided the operations.
    package let seed: UInt64
    /// Where the store was.
    package let place: String
    /// The operations, without those that the run itself appends.
    package private(set) var operations = 0
    package private(set) var reads = 0
    package private(set) var writes = 0
    /// How many of them were done; the others threw or were cancelled.
    package private(set) var done = 0
    /// How many their client waited for.
    package private(set) var awaited = 0
    /// How many of these were under way while another of these was.
    package private(set) var overlapping = 0
    /// How many steps the closures have taken.
    package private(set) var steps = 0
    /// The rules that the history breaks.
    package private(set) var violations: [HistoryViolation]

    init(run: HistoryRun, history: [HistoryOperation], noted: [HistoryViolation]) {
        seed = run.seed
        place = run.source.description
        let count = run.contexts * run.operations
        for operation in history where operation.number < count {
            operations += 1
            if operation.isRead { reads += 1 }
            if operation.isAwaited { awaited += 1 }
            if operation.accesses.contains(where: \.isWrite) { writes += 1 }
            if operation.outcome == .done { done += 1 }
            steps += operation.accesses.count
        }
        violations = noted + HistoryChecker.violations(of: history)
        countOverlapping(history.filter { $0.isAwaited && $0.number < count })
        checkLoad(count)
    }

    private mutating func countOverlapping(_ history: [HistoryOperation]) {
        let calls = history.sorted { $0.called < $1.called }
        var latestReturn = 0
        for (index, operation) in calls.enumerated() {
            let next = index + 1 < calls.count ? calls[index + 1].called : .max
            if operation.called < latestReturn || next < operation.returned { overlapping += 1 }
            latestReturn = max(latestReturn, operation.returned)
        }
    }

    /// A history that did less than it should proves nothing.
    private mutating func checkLoad(_ count: Int) {
        let text = Self.shortfall(
            of: count, operations: operations, done: done, reads: reads, writes: writes)
        if let text { violations.append(HistoryViolation(.load, text)) }
    }

    /// What is missing, in words; `nil` if nothing is.
    ///
    /// Short histories, in which chance may leave out a kind, only have to be complete.
    static func shortfall(
        of count: Int, operations: Int, done: Int, reads: Int, writes: Int
    ) -> String? {
        let isMixed = done * 3 >= count * 2 && reads * 5 >= count && writes * 5 >= count
        guard operations < count || (count >= 100 && !isMixed) else { return nil }
        return
            "Of \(count) operations \(operations) ended and \(done) were done, with \(reads) reads and \(writes) writes."
    }
}

extension HistoryAccess {
    fileprivate var isWrite: Bool { if case .write = self { true } else { false } }
}

extension HistoryResult: CustomStringConvertible {
    /// The first violations, the figures and the seed.
    package var description: String {
        let figures =
            "History of seed \(seed) in \(place): \(operations) operations (\(reads) reads, \(writes) writes, \(done) done, \(overlapping) of \(awaited) overlapping), \(violations.count) violations."
        // The violations first: what a failed test prints may be cut off at its end.
        return (violations.prefix(5).map { "\($0)" } + [figures]).joined(separator: "\n")
    }
}
