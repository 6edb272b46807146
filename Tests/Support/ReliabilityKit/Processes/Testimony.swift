package import SkiathosCore

/// What a child has said, added up.
package struct Testimony: Sendable {
    /// Where it has been.
    package private(set) var points: Set<ProtocolLine.Point> = []
    /// How many acknowledgements of each form and level it has had.
    package private(set) var counts: [ProtocolLine.Form: [Acknowledgement: Int]] = [:]
    /// The numbers of all writes that were acknowledged.
    package private(set) var numbers: [Int] = []
    /// The highest number that survives the end of the process.
    package private(set) var promise = 0
    /// How many calls were refused, by the reason.
    package private(set) var refused: [String: Int] = [:]
    /// How many writes it has asked for, once it has said so.
    package private(set) var issued: Int?
    /// How many completions were called only after the store had been stopped.
    package private(set) var late = 0
    /// What the shutdown has come to, if it was one.
    package private(set) var report: ProtocolLine?
    /// Lines that are none of the protocol.
    package private(set) var strays: [String] = []
    /// How many acknowledgements promise that the write survives the end of the process.
    package private(set) var promises = 0

    /// How many writes were refused.
    package var refusals: Int { refused.values.reduce(0, +) }

    mutating func note(_ text: String) {
        switch ProtocolLine(text) {
        case .reached(let point): points.insert(point)
        case .done(let form, let level, let number):
            counts[form, default: [:]][level, default: 0] += 1
            if form.isWrite { numbers.append(number) }
            guard level > .merged else { return }
            promises += 1
            promise = max(promise, number)
        case .refused(_, let reason): refused[reason, default: 0] += 1
        case .issued(let count, let late):
            issued = count
            self.late = late
        case .report: report = ProtocolLine(text)
        case nil: strays.append(text)
        }
    }

    /// What is wrong with the account of a process that has ended in order, if anything is.
    ///
    /// - Parameter last: The number of the last write that the store holds now.
    package func problems(last: Int) -> [String] {
        var problems = strays.map { "It said \"\($0)\"." }
        if issued != numbers.count + refusals {
            problems.append(
                "Of \(issued ?? -1) writes \(numbers.count) were told done and \(refusals) were told refused."
            )
        }
        if late > 0 { problems.append("\(late) completions were called too late.") }
        // The store gives numbers without gaps, so these are the ones up to the last.
        if numbers.sorted() != Array((last - numbers.count + 1)..<(last + 1)) {
            problems.append(
                "The last write is \(last); \(numbers.count) from \(numbers.min() ?? 0) to \(numbers.max() ?? 0) were told done."
            )
        }
        return problems
    }
}
