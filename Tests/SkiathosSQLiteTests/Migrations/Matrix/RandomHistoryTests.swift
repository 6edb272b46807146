import Foundation
import GRDB
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestSupport
import Testing

@testable import SkiathosCore
@testable import SkiathosSQLite

/// Random histories of an entity, and every jump in each of them.
@Suite(.serialized) struct RandomHistoryTests {
    private static let seeds =
        Seed.chosen.map { [$0] } ?? Array(1...UInt64(Rounds.of(2)))

    @Test(arguments: seeds)
    func `every jump in a random history carries what plain Swift carries`(
        seed: UInt64
    ) async throws {
        try await withSeed(seed) { try check(RandomHistory(seed: seed)) }
    }

    private func check(_ history: RandomHistory) throws {
        for start in 0..<11 {
            // A store of each version is filled with its rows, whatever led to it.
            var rows = history.rows()
            if start > 0 { for version in 1...start { rows = history.advance(rows, to: version) } }
            let base = try filled(history, start, rows)
            for target in (start + 1)..<12 {
                rows = history.advance(rows, to: target)
                let place =
                    "\(start) → \(target): \(history.changes[start..<target])"
                do {
                    let found = try jump(history, base, to: target)
                    let expected = history.stored(rows, version: target)
                    let different = zip(found, expected).first { $0 != $1 }
                    let words = different.map { "\($0.0), and not \($0.1)" } ?? ""
                    #expect(words == "" && found.count == expected.count, "\(place)")
                } catch {
                    Issue.record(error, "\(place)")
                }
            }
        }
    }

    private func opener(
        _ history: RandomHistory, _ version: Int, _ harness: MigrationHarness
    ) throws -> StoreOpener {
        Evolving.present.withLock { $0 = history.states[version].form }
        return try harness.opener(
            [Sample<Evolving>.schemaWithDefaults],
            StoreOptions(migrations: history.steps(of: version).map(\.storeMigration)))
    }

    private func filled(
        _ history: RandomHistory, _ version: Int, _ rows: [Int64: [Int: Int64]]
    ) throws -> Data {
        let harness = try MigrationHarness()
        try harness.open(opener(history, version, harness))
        let state = history.states[version]
        let names = (["id"] + state.columns.map(\.name)).joined(separator: ", ")
        try harness.execute(
            history.stored(rows, version: version).map { values in
                let literals = values.map(\.sqlLiteral).joined(separator: ", ")
                return "INSERT INTO \(state.table) (\(names)) VALUES (\(literals))"
            })
        return try harness.directory.bytes()
    }

    private func jump(
        _ history: RandomHistory, _ base: Data, to version: Int
    ) throws -> [[StoreValue]] {
        let harness = try MigrationHarness(base)
        try harness.open(opener(history, version, harness))
        let state = history.states[version]
        let names = (["id"] + state.columns.map(\.name)).joined(separator: ", ")
        return try DatabaseQueue(path: harness.directory.file()).read { database in
            try Row.fetchAll(
                database, sql: "SELECT \(names) FROM \(state.table) ORDER BY id"
            ).map { row in Array(row.databaseValues.map(StoreValue.init)) }
        }
    }
}
