import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Random writes with objects come to what a model of dictionaries comes to, wherever queries have
/// them flushed.
@Suite(.seeded) struct ObjectModelTests {
    /// How many steps a run has.
    private static let steps = Rounds.of(1500)

    @Test(arguments: ObjectModel.Subject.allCases)
    func `random writes with objects agree with a model`(
        _ subject: ObjectModel.Subject
    ) async throws {
        try await withStore(.inMemory, entities: Items.entities) { dal in
            try await Self.run(subject, dal)
        }
    }

    @Test func `random writes with objects in a file agree with a model`() async throws {
        let directory = try TemporaryDirectory()
        let source = StoreSource.sqlite(directory.file("test.sqlite"))
        try await withStore(source, entities: Items.entities) { dal in
            try await Self.run(.everything, dal)
        }
        withExtendedLifetime(directory) {}
    }

    private static func run(
        _ subject: ObjectModel.Subject, _ dal: DataAccessLayer
    ) async throws {
        var model = ObjectModel(subject, seed: Seed.current)
        var writes = 0
        while model.steps < steps {
            let script = model.nextWrite()
            writes += 1
            let place: Comment = "\(subject), write \(writes): \(script.steps)"
            var ending = ObjectScript.Ending.success
            do {
                try await dal.write(acknowledging: .merged) { try script.run(in: $0) }
            } catch {
                guard let known = ObjectScript.ending(error) else {
                    Issue.record(error, place)
                    return
                }
                ending = known
            }
            try #require(ending == script.ending, place)
            if ending == .success { model.commit() }
            let found: [ModelKey: ModelRow] = try await dal.read { context in
                try Items.kinds.indices.reduce(into: [:]) { rows, kind in
                    rows.merge(try Items.kinds[kind].all(kind, in: context)) { $1 }
                }
            }
            try #require(found == model.rows, place)
        }
    }
}
