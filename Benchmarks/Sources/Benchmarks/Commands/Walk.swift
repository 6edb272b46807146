import ArgumentParser
import BenchmarkReports
import CSupport
import Foundation
import Skiathos
import Synchronization

/// How long a walk over all rows takes, and how much memory it needs.
struct Walk: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Measures the time and memory of a walk over all rows with each.")

    @Option(help: "How many rows the table has.")
    var rows = 1_000_000

    func run() throws {
        try withTemporaryDirectory { directory in
            let path = directory.appendingPathComponent("walk.sqlite").path
            let dal = try DataAccessLayer(.sqlite(path), entities: User.self, Company.self)
            try Walker(dal: dal).run(rows: rows)
        }
    }
}

private struct Walker {
    let dal: DataAccessLayer

    /// Measures and prints.
    func run(rows: Int) throws {
        try fill(rows)
        try measure("each in a read", rows) { probe in
            try dal.read { context in
                try User.each(in: context) { user in probe.look(at: user.id.rawValue) }
            }
        }
        try measure("each in a read, sorted by an indexed column", rows) { probe in
            try dal.read { context in
                try User.order { $0.email.ascending }.each(in: context) { user in
                    probe.look(at: user.id.rawValue)
                }
            }
        }
        try measure("each in a write that changes every tenth row", rows) { probe in
            try dal.write { context in
                try User.each(in: context) { user in
                    if user.id.rawValue % 10 == 0 { user.age += 1 }
                    probe.look(at: user.id.rawValue)
                }
            }
        }
        try dal.close()
    }

    private func fill(_ rows: Int) throws {
        var first: Int64 = 1
        while first <= rows {
            let numbers = first...min(first + 49_999, Int64(rows))
            try dal.write { context in
                for number in numbers {
                    var user = User(number: number)
                    user.company = nil
                    try User.insert(user, in: context)
                }
            }
            first = numbers.upperBound + 1
        }
    }

    private func measure(_ title: String, _ rows: Int, _ body: (Probe) throws -> Void) throws {
        let probe = Probe()
        let time = try ContinuousClock().measure { try body(probe) }
        guard probe.count == rows else {
            throw BenchmarkError("\(title): \(probe.count) rows of \(rows)")
        }
        let seconds = Format.seconds(time / .seconds(1))
        let memory = probe.growth.map { "\($0 >> 10) KiB more heap" } ?? "memory not known"
        print("\(title): \(rows) rows, \(seconds), \(memory) at the most")
    }
}

/// Counts rows and looks at the heap of the process now and then.
private final class Probe: Sendable {
    private struct State {
        var count = 0
        var largest = 0
    }

    private let start = Int(heap_bytes_in_use())
    private let state = Mutex(State())

    var count: Int { state.withLock { $0.count } }

    /// The largest growth of the heap, or `nil` where that is not known.
    var growth: Int? {
        start < 0 ? nil : state.withLock { max(0, $0.largest - start) }
    }

    func look(at id: Int64) {
        state.withLock { state in
            state.count += 1
            if state.count % 100_000 == 0 {
                state.largest = max(state.largest, Int(heap_bytes_in_use()))
            }
        }
    }
}
