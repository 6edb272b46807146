extension Report {
    /// The ratios of all contestants, and the absolute times of the first.
    package func table(showsTargets: Bool) -> TextTable {
        let last = contestants.count - 1
        var table = TextTable(
            columns: ["", "workload", contestants[0]] + contestants.dropFirst()
                + ["middle half"] + (showsTargets ? ["target"] : []), textColumns: 2)
        for (section, lines) in sections {
            table.add(heading: section.rawValue)
            for line in lines {
                let ratios = contestants.indices.dropFirst().map { contestant in
                    line.ratio(of: contestant).map(Format.ratio) ?? "–"
                }
                let spread = line.spread(of: last).map {
                    "\(Format.ratio($0.lowerBound))–\(Format.ratio($0.upperBound))"
                }
                let target = Targets.ratios[line.id].map { $0.verdict(on: line.ratio(of: last)) }
                table.add(
                    [line.id, line.title, Self.absolute(line)] + ratios + [spread ?? "–"]
                        + (showsTargets ? [target ?? ""] : []))
            }
        }
        return table
    }

    /// For the terminal.
    package func text(showsTargets: Bool) -> String {
        let conditions = conditions.map { "\($0.name): \($0.value)" }
        let table = table(showsTargets: showsTargets)
        return (conditions + ["", Self.legend, footnote, "", table.aligned]).joined(separator: "\n")
    }

    /// As a document.
    package func markdown(plot: String?) -> String {
        var lines = ["# Results", ""]
        lines += ["Made by `make benchmark`; [README.md](README.md) says how to read it.", ""]
        lines += conditions.map { "- \($0.name): \($0.value)" }
        lines += ["", Self.legend, footnote, ""]
        if let plot {
            lines += ["![Bars of the ratios, one group for each workload](\(plot))", ""]
        }
        lines += [table(showsTargets: true).markdown, ""]
        return lines.joined(separator: "\n")
    }

    private var footnote: String {
        "The column of \(contestants[0]) has its absolute figures; the middle half is that of the ratios of \(contestants[contestants.count - 1])."
    }

    private static func absolute(_ line: ReportLine) -> String {
        guard let seconds = line.seconds(of: 0) else { return "–" }
        guard line.kind != .throughput else { return Format.rate(1 / seconds) }
        return "\(Format.seconds(seconds))/\(line.unit)"
    }
}
