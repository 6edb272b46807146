/// What the figures of a check were when they were recorded, and how much worse they may be.
package struct Thresholds: Codable, Sendable {
    /// One figure, of which less is better.
    package struct Entry: Codable, Sendable, Equatable {
        package let name: String
        package let expected: Double
        /// The part by which it may be larger: `0.03` for three per cent.
        package let margin: Double

        package init(name: String, expected: Double, margin: Double) {
            self.name = name
            self.expected = expected
            self.margin = margin
        }

        /// The largest figure that passes.
        package var limit: Double { expected * (1 + margin) }
    }

    package var entries: [Entry]

    package init(entries: [Entry]) { self.entries = entries }

    /// What became of one figure.
    package enum Verdict: String, Sendable {
        case passed
        /// Better by more than the margin, which deserves to be recorded.
        case better
        case worse = "WORSE"
        /// Recorded, but not measured.
        case missing = "MISSING"
        /// Measured, but not recorded.
        case new
        package var isFailure: Bool { self == .worse || self == .missing }
    }

    package struct Finding: Sendable {
        package let name: String
        package let entry: Entry?
        package let found: Double?
        package let verdict: Verdict
    }

    /// Compares figures with what is recorded.
    package func compare(_ found: [(name: String, value: Double)]) -> [Finding] {
        let values = Dictionary(found.map { ($0.name, $0.value) }) { first, _ in first }
        let known = Set(entries.map(\.name))
        let recorded = entries.map { entry in
            guard let value = values[entry.name] else {
                return Finding(name: entry.name, entry: entry, found: nil, verdict: .missing)
            }
            let verdict: Verdict =
                value > entry.limit
                ? .worse : value < entry.expected * (1 - entry.margin) ? .better : .passed
            return Finding(name: entry.name, entry: entry, found: value, verdict: verdict)
        }
        return recorded
            + found.filter { !known.contains($0.name) }.map {
                Finding(name: $0.name, entry: nil, found: $0.value, verdict: .new)
            }
    }

    /// The figures found, with new expectations; margins that were chosen by hand stay.
    ///
    /// - Parameter keepingOthers: Whether figures that were not found stay as they are, behind
    ///   the others.
    package func recording(
        _ found: [(name: String, value: Double, margin: Double)], keepingOthers: Bool = false
    ) -> Thresholds {
        let margins = Dictionary(entries.map { ($0.name, $0.margin) }) { first, _ in first }
        let names = Set(found.map(\.name))
        let others = keepingOthers ? entries.filter { !names.contains($0.name) } : []
        return Thresholds(
            entries: found.map {
                Entry(name: $0.name, expected: $0.value, margin: margins[$0.name] ?? $0.margin)
            } + others)
    }
}

extension [Thresholds.Finding] {
    /// What was expected and found, one line for each figure.
    package var table: TextTable {
        var table = TextTable(
            columns: ["figure", "verdict", "expected", "at most", "found", "change"], textColumns: 2
        )
        for finding in self {
            let change = finding.entry.flatMap { entry in
                finding.found.map { "\(Format.fixed(($0 / entry.expected - 1) * 100, 1)) %" }
            }
            table.add([
                finding.name, finding.verdict.rawValue,
                finding.entry.map { Self.text($0.expected) } ?? "–",
                finding.entry.map { Self.text($0.limit) } ?? "–",
                finding.found.map(Self.text) ?? "–", change ?? "–",
            ])
        }
        return table
    }

    private static func text(_ value: Double) -> String {
        value >= 100 ? Format.count(Int(value.rounded())) : Format.ratio(value)
    }
}
