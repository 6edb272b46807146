import ArgumentParser
import BenchmarkReports

/// The heap that a fetched row takes.
struct Memory: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the bytes on the heap for each fetched value and each tracked object.")

    @Option(help: "How many rows the table has.")
    var rows = 100_000

    func validate() throws {
        guard rows > 0 else { throw ValidationError("There must be at least 1 row.") }
    }

    func run() throws {
        guard HeapProbe.isAvailable else {
            throw BenchmarkError("This system does not tell how much of the heap is in use.")
        }
        var table = TextTable(columns: ["bytes on the heap", "each", "target"], textColumns: 1)
        try withTemporaryDirectory { directory in
            var sizes = Input.Sizes()
            sizes.rows = rows
            let input = Input(sizes)
            for kind in ContestantKind.compared {
                let entrant = try Entrant(kind, in: directory)
                try entrant.fill(input)
                for asObjects in [false, true] {
                    guard let bytes = try measure(entrant, asObjects: asObjects) else { continue }
                    table.add(row(kind, asObjects, bytes))
                }
                try entrant.close()
            }
        }
        print(
            "\(Format.count(rows)) rows; the bare struct has \(MemoryLayout<User>.stride) bytes\n")
        print(table.aligned)
    }

    private func measure(_ entrant: Entrant, asObjects: Bool) throws -> Double? {
        do {
            // Once before, so that statements and pages are in memory already.
            let probes = (0..<2).map { _ in HeapProbe() }
            for probe in probes { try entrant.contestant.holdAll(asObjects: asObjects, probe) }
            return probes[1].bytesPerValue
        } catch is NotOffered {
            return nil
        }
    }

    private func row(_ kind: ContestantKind, _ asObjects: Bool, _ bytes: Double) -> [String] {
        let what = asObjects ? "object with its place in the identity map" : "value"
        let target = asObjects ? Targets.bytesPerObject : Targets.bytesPerValue
        func format(_ value: Double) -> String { Format.fixed(value, 0) }
        return [
            "\(kind.name), \(what)", format(bytes),
            kind == .skiathos ? target.verdict(on: bytes, format) : "",
        ]
    }
}
