import SkiathosTesting
import Testing

/// The table of the README is made of both files of results, as ranges.
struct RatiosAreThoseMeasured {
    /// The rows of the README, and the workloads that they show.
    private static let workloads = [
        ("Fetch 100,000 rows", "R1"),
        ("Fetch a row by its ID, cold, a `read { }` each", "R2b"),
        ("The same for rows that were read before", "R2bw"),
        ("Fetch 100 rows by an index", "R3"),
        ("1,000 users and their companies, as a plain loop", "R6l"),
        ("Insert 100,000 rows in one write", "W1"),
        ("Fetch, change and save 100,000 rows", "W4"),
        ("Small writes, one thread, committed", "W2"),
        ("Small writes, one thread, visible at once, committed at the end", "W2m"),
        ("Small writes, one thread, durable", "W2d"),
        ("Small writes, 8 tasks, committed", "W3t"),
        ("Small writes, 64 tasks, durable", "W3td64"),
        ("Delete 100,000 objects one by one", "D2"),
    ]

    @Test func `the README has the ranges of both files of results`() throws {
        let results = try ["Results", "SlowResults"].map { name in
            try Self.cells(of: "Benchmarks/\(name).md").filter { $0.count > 7 }
        }
        let shown = try Self.cells(of: "README.md").filter { row in
            Self.workloads.contains { $0.0 == row[0] }
        }
        #expect(shown.map(\.[0]) == Self.workloads.map(\.0))
        for (row, workload) in zip(shown, Self.workloads) {
            let measured = try results.map { rows in
                try #require(rows.first { $0[0] == workload.1 }, "\(workload.1) is missing")
            }
            // The workload's title is in the second column of the results alone.
            let ranges = (2...5).map { column in Self.range(measured.map { $0[column] }) }
            #expect(row.dropFirst().map { $0.filter { $0 != "*" } } == ranges, "\(workload.0)")
        }
    }

    /// The cells of all tables in a document.
    private static func cells(of path: String) throws -> [[String]] {
        try PackageDirectory.text(of: path).split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { line in
                line.dropFirst().dropLast().split(separator: "|", omittingEmptySubsequences: false)
                    .map { $0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed() }
                    .map { String($0) }
            }
    }

    /// Figures with the same unit, the smallest and the largest.
    private static func range(_ figures: [String]) -> String {
        let numbers = figures.map { $0.prefix { $0.isNumber || $0 == "." } }
        let sorted = numbers.sorted { Double($0) ?? .nan < Double($1) ?? .nan }
        let unit = figures[0].dropFirst(numbers[0].count)
        guard let first = sorted.first, let last = sorted.last, first != last else {
            return figures[0]
        }
        return "\(first)–\(last)\(unit)"
    }
}
