import GRDB
import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosSQLite

/// Random former names of columns and of tables against a model, each opened three times.
@Suite struct RandomRenameTests {
    @Test(arguments: Seed.each(1, 2))
    func `columns have the values of their former names, in any order of declarations`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            var random = SeededNumbers(seed: seed)
            for round in 0..<Rounds.of(40) {
                let names = RandomNames(using: &random, variesCase: !round.isMultiple(of: 3))
                try checkColumns(names)
            }
        }
    }

    @Test(arguments: Seed.each(3, 4))
    func `tables have the rows of their former names, in any order of entities`(
        _ seed: UInt64
    ) async throws {
        try await withSeed(seed) {
            var random = SeededNumbers(seed: seed)
            for round in 0..<Rounds.of(25) {
                let names = RandomNames(using: &random, variesCase: !round.isMultiple(of: 3))
                try checkTables(names)
            }
        }
    }

    /// Whether a store takes the names; it is expected to, or to refuse them for a reason.
    private func isTaken(
        _ names: RandomNames, _ entities: [EntitySchema], _ harness: MigrationHarness
    ) throws -> Bool {
        if names.isCyclic {
            let error = try storeError(.invalidSchema) { _ = try StoreSchema(entities) }
            #expect(error.message.contains("Migration"), "\(names)")
            return false
        }
        guard names.isMisspelled || !names.unused.isEmpty else { return true }
        let bytes = try harness.directory.bytes()
        _ = try storeError(.schemaMismatch) { _ = try harness.opener(entities).open() }
        #expect(try harness.directory.bytes() == bytes)
        return false
    }

    private func checkColumns(_ names: RandomNames) throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user(names.present.map { Made.column($0, Coding.of(String?.self)) })]
        )
        let list = names.present.joined(separator: ", ")
        let values = names.present.map { "'\($0)'" }.joined(separator: ", ")
        try harness.execute(["INSERT INTO user (id, \(list)) VALUES (1, \(values))"])

        let entity = Made.user(
            names.declared.map {
                Made.column($0.name, Coding.of(String?.self), renamedFrom: $0.former)
            })
        guard try isTaken(names, [entity], harness) else { return }
        for opening in 1...3 {
            try harness.open([entity])
            for declared in names.declared {
                let found = try harness.strings("SELECT coalesce(\(declared.name), '-') FROM user")
                let expected = names.source(of: declared) ?? "-"
                #expect(found == [expected], "opening \(opening): \(declared) of \(names)")
            }
            #expect(try harness.opener([entity]).plan().isEmpty, "\(names)")
        }
    }

    private func checkTables(_ names: RandomNames) throws {
        let harness = try MigrationHarness()
        try harness.open(
            zip(names.present, Self.types).map { name, type in
                Self.entity(name, type)
            })
        try harness.execute(
            names.present.map { "INSERT INTO \($0) (text) VALUES ('\($0)')" })

        let entities = zip(names.declared, Self.types).map { declared, type in
            Self.entity(declared.name, type, renamedFrom: declared.former)
        }
        guard try isTaken(names, entities, harness) else { return }
        for opening in 1...3 {
            try harness.open(entities)
            for declared in names.declared {
                let found = try harness.strings("SELECT text FROM \(declared.name)")
                let expected = names.source(of: declared).map { [$0] } ?? []
                #expect(found == expected, "opening \(opening): \(declared) of \(names)")
            }
            #expect(try harness.opener(entities).plan().isEmpty, "\(names)")
        }
    }

    private enum First {}
    private enum Second {}
    private enum Third {}
    private enum Fourth {}
    private enum Fifth {}
    private static let types: [Any.Type] = [
        First.self, Second.self, Third.self, Fourth.self, Fifth.self,
    ]

    private static func entity(
        _ table: String, _ type: Any.Type, renamedFrom: [String] = []
    ) -> EntitySchema {
        EntitySchema(
            type, table: table, id: Coding.of(Int64.self), columns: [Made.text],
            indexed: ["text"], renamedFrom: renamedFrom)
    }
}
