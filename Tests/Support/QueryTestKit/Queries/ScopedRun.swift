import Skiathos
import SkiathosTesting
import TestTools

/// Runs random queries of several closures, some hundred about the same rows.
package struct ScopedRun: Sendable {
    /// What decides everything.
    package let seed: UInt64
    /// How many queries and changes there are.
    package var queries = 10_000
    /// How many of them are about the same rows.
    package var queriesOfWorld = 250
    /// Whether closures use columns of outer rows.
    package var hasOuterColumns = true

    /// What the queries have come to.
    package struct Result: Sendable {
        /// How many queries and changes there were.
        package var queries = 0
        /// How many of them gave something else than plain Swift.
        package var differing = 0
        /// How many of them were nested too deeply for the parser of SQLite.
        package var tooDeep = 0
        /// What was wrong with the first ones, the shortest first.
        package var problems: [String] = []
    }

    package init(seed: UInt64) { self.seed = seed }

    /// Runs them in a store in memory.
    package func run() async throws -> Result {
        try await withStore(.inMemory, entities: ScopeWorld.entities) { dal in
            var values = RandomValues(seed: seed)
            var result = Result()
            while result.queries < queries {
                let seed = values.random.next()
                let count = min(queriesOfWorld, queries - result.queries)
                try await run(count, seed, on: dal, &result)
            }
            result.problems.sort { $0.count < $1.count }
            return result
        }
    }

    private func run(
        _ count: Int, _ seed: UInt64, on dal: DataAccessLayer, _ result: inout Result
    ) async throws {
        var made = ScopedQueries(seed: seed)
        made.hasOuterColumns = hasOuterColumns
        let world = made.world
        let queries = (0..<count * 9 / 10).map { _ in made.next() }
        let changes = (queries.count..<count).map { _ in made.nextChange() }
        let changed = try await dal.write { context in
            for entity in ScopeWorld.entities { try deleteAll(of: entity, in: context) }
            try world.insert(in: context)
            return changes.map { $0.outcome(in: context) }
        }
        let found = try await dal.read { context in queries.map { $0.outcome(in: context) } }
        for outcome in changed + found {
            switch outcome {
            case .right: continue
            case .tooDeep: result.tooDeep += 1
            case .wrong(let problem):
                result.differing += 1
                if result.problems.count < 100 { result.problems.append(problem) }
            }
        }
        result.queries += count
    }
}

private func deleteAll<E: Entity>(of entity: E.Type, in context: WriteContext) throws {
    try E.query.deleteAll(in: context)
}
