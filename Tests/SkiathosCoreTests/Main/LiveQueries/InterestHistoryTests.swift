import SkiathosStore
import TestSupport
import TestTools
import Testing

@testable import SkiathosCore

/// Random changes of random rows wake just the queries whose results they change.
@Suite(.generousTimeLimit) struct InterestHistoryTests {
    @Test(.seeded) func `thousands of histories wake a query if and only if its rows change`() {
        var generator = SeededNumbers(seed: Seed.current)
        for history in 0..<Rounds.of(4_000) {
            let seed = generator.next()
            var random = SeededNumbers(seed: seed)
            // One failure says enough.
            guard Self.run(&random, history) else { return }
        }
    }

    /// Returns whether all queries were woken as expected.
    private static func run(_ generator: inout SeededNumbers, _ history: Int) -> Bool {
        var index = InterestIndex()
        var rows: [Int64: [StoreValue]] = [:]
        var queries: [(query: Woken, predicate: StorePredicate, columns: ColumnSet, number: Int)] =
            []
        for step in 0..<12 {
            if step < 4 || Int.random(in: 0..<5, using: &generator) == 0 {
                let query = Woken()
                let predicate = condition(&generator)
                let columns = ColumnSet(bits: Bool.random(using: &generator) ? .max : 0b10)
                let interest = Interest(
                    ReadDependency(entity: entity, predicate: predicate, columns: columns),
                    in: schema)
                queries.append((query, predicate, columns, index.insert(interest, of: query)))
            } else if !queries.isEmpty, Int.random(in: 0..<8, using: &generator) == 0 {
                let gone = queries.remove(at: Int.random(in: queries.indices, using: &generator))
                index.remove(gone.number, of: entity)
            }
            let changes = change(&rows, &generator)
            var woken: Set<ObjectIdentifier> = []
            let batch = BatchChanges(
                number: 1, [.init(position: entity, columns: .all, rows: .known(changes))])
            index.forEachAffected(by: batch) { woken.insert(ObjectIdentifier($0)) }
            let columns = queries.reduce(into: ColumnSet()) {
                $0.formUnion(RowCondition($1.predicate, of: User.schema).columns)
            }
            let lean = BatchChanges(
                number: 1,
                [
                    .init(
                        position: entity, columns: columns,
                        rows: .known(changes.map { pruned($0, columns) }))
                ])
            var wokenByLean: Set<ObjectIdentifier> = []
            index.forEachAffected(by: lean) { wokenByLean.insert(ObjectIdentifier($0)) }
            let limit = step % 4
            let few = index.affected(by: batch, testing: limit * 4, upTo: limit)
            let all = index.affected(by: batch, testing: .max, upTo: .max) ?? []
            guard all.count == woken.count, wokenByLean == woken,
                Set(all.map(ObjectIdentifier.init)) == woken,
                few.map({ Set($0.map(ObjectIdentifier.init)) == woken && $0.count <= limit })
                    ?? true
            else {
                Issue.record("history \(history), step \(step): others for \(changes)")
                return false
            }
            for query in queries {
                let isExpected = changes.contains { change in
                    let before = change.before.map { holds(query.predicate, $0) } ?? false
                    let after = change.after.map { holds(query.predicate, $0) } ?? false
                    return before != after
                        || before && !query.columns.isDisjoint(with: change.columns)
                }
                let isWoken = woken.contains(ObjectIdentifier(query.query))
                if isWoken != isExpected {
                    Issue.record("history \(history), step \(step): \(query.predicate) \(changes)")
                    return false
                }
            }
        }
        return true
    }

    /// Changes one row to three, and says how.
    private static func change(
        _ rows: inout [Int64: [StoreValue]], _ generator: inout SeededNumbers
    ) -> [SkiathosCore.ChangedRow] {
        (0..<Int.random(in: 1...3, using: &generator)).map { _ in
            let id = Int64.random(in: 1...5, using: &generator)
            let before = rows[id]
            let isDeletion = before != nil && Int.random(in: 0..<4, using: &generator) == 0
            let after: [StoreValue]? =
                isDeletion
                ? nil
                : [.integer(id), .text("\(small(&generator))"), word(&generator), .null]
                    + [.integer(small(&generator)), .real(0), .text("guest"), .null]
            rows[id] = after
            var columns = ColumnSet.all
            if let before, let after {
                columns = ColumnSet()
                for column in before.indices where before[column] != after[column] {
                    columns.insert(column)
                }
            }
            return SkiathosCore.ChangedRow(before: before, after: after, columns: columns)
        }
    }

    /// A change with the values of some columns alone.
    private static func pruned(
        _ change: SkiathosCore.ChangedRow, _ columns: ColumnSet
    ) -> SkiathosCore.ChangedRow {
        func pruned(_ row: [StoreValue]) -> [StoreValue] {
            row.indices.map { columns.contains($0) ? row[$0] : .null }
        }
        return SkiathosCore.ChangedRow(
            before: change.before.map(pruned), after: change.after.map(pruned),
            columns: change.columns)
    }

    private static func small(_ generator: inout SeededNumbers) -> Int64 {
        .random(in: 0..<4, using: &generator)
    }

    private static func condition(
        _ generator: inout SeededNumbers, depth: Int = 2
    ) -> StorePredicate {
        let age = StoreExpression.column(4)
        let value = StoreValue.integer(small(&generator))
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &generator) {
        case 0: return .comparison(age, .equal, .value(value))
        case 1: return .contained(.column(0), [.integer(small(&generator) + 1), value])
        case 2:
            let comparison = StorePredicate.Comparison.allCases.randomElement(using: &generator)
            return .comparison(age, comparison ?? .less, .value(value))
        case 3:
            return .comparison(.column(1), .equal, .value(.text("\(small(&generator))")))
        case 4, 5:
            let match = StorePredicate.TextMatch.allCases.randomElement(using: &generator)
            let isFolded = Bool.random(using: &generator)
            return .match(
                isFolded ? .call(.lowercased, [.column(2)]) : .column(2), match ?? .contains,
                .value(word(&generator)))
        case 6: return .not(condition(&generator, depth: depth - 1))
        case let choice:
            let parts = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                condition(&generator, depth: depth - 1)
            }
            return choice == 7 ? .all(parts) : .any(parts)
        }
    }

    /// What the conditions of this test mean.
    private static func holds(_ predicate: StorePredicate, _ row: [StoreValue]) -> Bool {
        switch predicate {
        case .comparison(.column(let column), let comparison, .value(let value)):
            let order = row[column].order(value)
            return switch comparison {
            case .equal: order == 0
            case .notEqual: order != 0
            case .less: order < 0
            case .lessOrEqual: order <= 0
            case .greater: order > 0
            case .greaterOrEqual: order >= 0
            }
        case .contained(.column(let column), let values): return values.contains(row[column])
        case .match(.call(.lowercased, _), let match, .value(.text(let part))):
            return contains(row[2], match, part, isFolded: true)
        case .match(.column(let column), let match, .value(.text(let part))):
            return contains(row[column], match, part)
        case .all(let parts): return parts.allSatisfy { holds($0, row) }
        case .any(let parts): return parts.contains { holds($0, row) }
        case .not(let part): return !holds(part, row)
        default: preconditionFailure("This test makes no such condition.")
        }
    }

    /// Whether a text contains another, by the characters of both.
    private static func contains(
        _ whole: StoreValue, _ match: StorePredicate.TextMatch, _ part: String,
        isFolded: Bool = false
    ) -> Bool {
        guard case .text(let text) = whole else { return false }
        let whole = isFolded ? text.lowercased() : text
        return switch match {
        case .prefix: whole.hasPrefix(part)
        case .suffix: whole.hasSuffix(part)
        case .contains: part.isEmpty || whole.contains(part)
        }
    }

    /// A text of up to three letters.
    private static func word(_ generator: inout SeededNumbers) -> StoreValue {
        let letters = (0..<Int.random(in: 0...3, using: &generator)).map { _ in
            ["a", "A", "b", "é"].randomElement(using: &generator) ?? "a"
        }
        return .text(letters.joined())
    }

    /// The position of the users.
    private static let entity = schema.position(of: User.self) ?? 0

    private static let schema: StoreSchema = {
        do {
            return try StoreSchema([User.schema, Company.schema])
        } catch {
            preconditionFailure("The schema of the fixtures was refused: \(error)")
        }
    }()
}
