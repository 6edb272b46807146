import BenchmarkReports

/// Work that every contestant does, and what of it is timed.
struct Workload {
    /// What the table of users has to hold.
    enum Table {
        case empty
        case filled
        /// Whatever is in it; the next workload that needs something else has to see to it.
        case other
    }

    /// A line of the report that a workload makes.
    struct Figure {
        let id: String
        let title: String
        let unit: String
        var kind = ReportLine.Kind.time
        /// The workload of the same contestant and round that it is relative to.
        var base: String?
    }

    /// The seconds per unit of each figure, and a checksum of the outcome.
    struct Outcome {
        let seconds: [Double]
        let checksum: Int64
    }

    let id: String
    let section: ReportLine.Section
    let figures: [Figure]
    var needs = Table.filled
    var leaves = Table.filled
    /// Whether contestants open their files anew before it, so that nothing is in their memory.
    var startsCold = false
    let run: (Entrant, Input, Stopwatch) throws -> Outcome

    /// A workload of one figure.
    ///
    /// - Parameters:
    ///   - units: How many units the timed part has.
    ///   - body: Does the work and returns a checksum.
    static func timed(
        _ id: String, _ section: ReportLine.Section, _ title: String, per unit: String,
        units: Int, needs: Table = .filled, leaves: Table = .filled, startsCold: Bool = false,
        _ body: @escaping (any Contestant, Input, Stopwatch) throws -> Int64
    ) -> Workload {
        Workload(
            id: id, section: section, figures: [Figure(id: id, title: title, unit: unit)],
            needs: needs, leaves: leaves, startsCold: startsCold
        ) { entrant, input, watch in
            watch.start()
            let checksum = try body(entrant.contestant, input, watch)
            watch.stop()
            return Outcome(seconds: [watch.seconds / Double(units)], checksum: checksum)
        }
    }

    /// All of them, in the order in which they run.
    static func all(_ sizes: Input.Sizes) -> [Workload] {
        [insertMany(sizes)] + wholeTable(sizes) + pointReads(sizes) + queries(sizes)
            + relations(sizes) + mixed(sizes) + changes(sizes) + deletions(sizes)
            + smallWrites(sizes)
    }

    /// The names of all of them.
    static let ids = all(Input.Sizes()).map(\.id)
}
