/// A comparison of contestants, of whom the first is what the others are measured by.
package struct Report: Sendable {
    /// What was compared on what, as pairs of a name and a value; nothing that changes by the day.
    package let conditions: [(name: String, value: String)]
    package let contestants: [String]
    package let lines: [ReportLine]

    package init(
        conditions: [(name: String, value: String)], contestants: [String], lines: [ReportLine]
    ) {
        self.conditions = conditions
        self.contestants = contestants
        self.lines = lines
    }

    /// The lines of each section, those without lines left out.
    package var sections: [(section: ReportLine.Section, lines: [ReportLine])] {
        ReportLine.Section.allCases.compactMap { section in
            let own = lines.filter { $0.section == section }
            return own.isEmpty ? nil : (section, own)
        }
    }

    /// How to read the ratios, in one sentence.
    package static let legend =
        "Ratios are medians over the rounds of the ratio to the first contestant within each round: "
        + "of times (lower is better), and where a title says throughput of that (higher is better)."
}
