import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore

/// A shutdown whose deadline has passed interrupts closures, and never what has returned.
@Suite(.seeded, .generousTimeLimit) struct HurriedShutdownTests {
    /// What a round's writers did, and what the store had to say about it.
    private struct Round {
        var returned: Set<Int> = []
        var stored: Set<Int> = []
        var report = ShutdownReport()
        var lostWrites = 0

        /// The model: the report may call durable what is there, and a returned write is there unless
        /// the report and the error handler say otherwise.
        var problems: [String] {
            let missing = returned.subtracting(stored)
            var problems: [String] = []
            if !missing.isEmpty { problems.append("\(missing.count) returned writes are missing") }
            if !missing.isEmpty, report.isDurable {
                problems.append("the report calls them durable: \(report)")
            }
            if lostWrites > 0 { problems.append("\(lostWrites) writes were rolled back") }
            return problems
        }
    }

    /// Two writers that change rows as fast as they can, and one whose closures run statements.
    @Test func `a shutdown without time keeps every write that has returned`() async throws {
        var random = SeededNumbers(seed: Seed.current)
        for _ in 0..<Load.hurriedShutdowns {
            let round = try await Self.round(writes: Int.random(in: 5...40, using: &random))
            #expect(round.problems == [])
            #expect(round.report.isDurable || !round.report.isClosed, "\(round.report)")
        }
    }

    private static let rowsOfAWrite = 100

    private static func round(writes: Int) async throws -> Round {
        let directory = try TemporaryDirectory()
        let path = directory.file("store.sqlite")
        let lost = Lock(0)
        var configuration = Configuration()
        configuration.commitInterval = .seconds(3600)
        configuration.shutdownGrace.closures = .seconds(600)
        configuration.errorHandler = { failure in lost.withLock { $0 += failure.lostWrites } }
        let dal = try await DataAccessLayer.open(
            .sqlite(path), entities: Item.self, configuration: configuration)
        let returned = Numbers()
        let started = Event()
        var writers: [Task<Void, any Error>] = []
        for writer in 0..<3 {
            writers.append(
                Task {
                    try await onThread {
                        try Self.write(from: writer, writes, dal, returned, started)
                    }
                })
        }
        await started.wait()
        var round = Round()
        round.report = await dal.shutDown(within: .zero)
        for writer in writers { try await writer.value }
        try? await dal.close()
        round.returned = returned.all
        round.lostWrites = lost.withLock { $0 }
        let reopened = try await DataAccessLayer.open(.sqlite(path), entities: Item.self)
        let rows = try await reopened.read { try Item.all(in: $0).map(\.sequence) }
        let counts = Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
        #expect(counts.values.allSatisfy { $0 == rowsOfAWrite })
        round.stored = Set(counts.keys)
        try await reopened.close()
        return round
    }

    private static func write(
        from writer: Int, _ writes: Int, _ dal: DataAccessLayer, _ returned: Numbers,
        _ started: Event
    ) throws {
        do {
            for number in stride(from: writer, to: .max, by: 3) {
                try dal.write(acknowledging: .merged) { context in
                    if number % 20 == 2 { _ = try Item.count(in: context) }
                    // So many that merging them takes a while.
                    for row in 0..<rowsOfAWrite {
                        try Item.create(id: Item.ID(rawValue: "\(number) \(row)"), in: context) {
                            $0.sequence = number
                        }
                    }
                }
                returned.note(number)
                if number > writes { started.happen() }
            }
        } catch is DataAccessError {
            // Shut down.
        } catch let error as StoreError where error.code == .interrupted {
            // As well.
        }
    }
}

/// The writes that have returned.
private final class Numbers: Sendable {
    private let numbers = Lock<Set<Int>>([])

    var all: Set<Int> { numbers.withLock { $0 } }
    func note(_ number: Int) { numbers.withLock { _ = $0.insert(number) } }
}
