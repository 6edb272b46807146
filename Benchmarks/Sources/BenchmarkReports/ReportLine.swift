/// What was measured of one workload, in every round and by every contestant.
package struct ReportLine: Sendable {
    /// Under which heading the workload is reported.
    package enum Section: String, Sendable, CaseIterable {
        case reads = "Reads"
        case writes = "Writes"
        case deletions = "Deletions"
        case mixed = "Reads and writes at the same time"
    }

    /// What the ratios compare.
    package enum Kind: Sendable {
        /// The time of the first contestant: lower is better.
        case time
        /// The throughput of the first contestant: higher is better.
        case throughput
        /// The contestant's own time of another workload in the same round: lower is better.
        case ownTime
    }

    package let id: String
    package let title: String
    package let section: Section
    /// What the absolute times are per, such as `row`.
    package let unit: String
    package let kind: Kind
    private var seconds: [[Double?]] = []
    private var ratios: [[Double?]] = []

    package init(id: String, title: String, section: Section, unit: String, kind: Kind = .time) {
        self.id = id
        self.title = title
        self.section = section
        self.unit = unit
        self.kind = kind
    }

    /// Adds a round of a workload that is compared with the first contestant.
    ///
    /// - Parameter round: The seconds per unit of each contestant; none where it lacks the
    ///   workload.
    package mutating func add(_ round: [Double?]) {
        seconds.append(round)
        let first = round.first ?? nil
        ratios.append(
            round.map { own in
                guard let own, let first else { return nil }
                return kind == .throughput ? first / own : own / first
            })
    }

    /// Adds a round that is compared with each contestant's own time of another workload.
    package mutating func add(_ round: [Double?], relativeTo other: [Double?]) {
        seconds.append(round)
        ratios.append(
            zip(round, other).map { own, other in
                guard let own, let other else { return nil }
                return own / other
            })
    }

    /// How many rounds there were.
    package var rounds: Int { seconds.count }

    /// The median over the rounds of the seconds per unit, or none if the contestant lacks it.
    package func seconds(of contestant: Int) -> Double? {
        Statistics.median(seconds.compactMap { $0[contestant] })
    }

    /// The median over the rounds of the ratio within each.
    package func ratio(of contestant: Int) -> Double? {
        Statistics.median(ratios.compactMap { $0[contestant] })
    }

    /// The ratio of the shortest times to those of the first contestant, whatever the kind.
    ///
    /// A busy neighbour can only make a time longer, so this is steadier than the median where a
    /// machine is shared, but it hides what happens in every other round.
    package func shortestRatio(of contestant: Int) -> Double? {
        guard let own = seconds.compactMap({ $0[contestant] }).min(),
            let first = seconds.compactMap({ $0[0] }).min()
        else { return nil }
        return own / first
    }

    /// The quarter of the rounds with the lowest ratios is below, that with the highest above.
    package func spread(of contestant: Int) -> ClosedRange<Double>? {
        let values = ratios.compactMap { $0[contestant] }
        guard let low = Statistics.quantile(values, 0.25),
            let high = Statistics.quantile(values, 0.75)
        else { return nil }
        return low...high
    }
}
