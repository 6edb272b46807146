import Foundation
import Skiathos

/// Queries and selections that are put together.
extension RandomQueries {
    /// The rows of two queries with limits of their own, as sets.
    mutating func combined() -> RandomQuery {
        let (first, second) = (limited(), limited())
        let key = key()
        let limit = generator.values.optional { $0.pick([0, 1, 7]) }
        let (left, right) = (Set(first.rows.map(\.id)), Set(second.rows.map(\.id)))
        let (name, query, ids) =
            switch generator.number(below: 3) {
            case 0: ("union", first.query.union(second.query), left.union(right))
            case 1:
                (
                    "intersection", first.query.intersection(second.query),
                    left.intersection(right)
                )
            default:
                ("subtracting", first.query.subtracting(second.query), left.subtracting(right))
            }
        var rows = sorted(model.rows.filter { ids.contains($0.id) }, [key])
        rows = Array(rows.prefix(limit ?? .max))
        let form = query.order { [key.ordering($0)] }.limit(limit)
        return RandomQuery(
            text: "\(first.text) \(name) \(second.text) by \(key.text) \(limit ?? -1)",
            forms: [form.select { $0.id }.map { [$0.cell] }], counted: form,
            expected: rows.map { [$0.id.cell] }, isOrdered: true)
    }

    private mutating func limited() -> (text: String, query: Query<Specimen>, rows: [Specimen]) {
        let (test, key, model) = (generator.test(1), key(), model)
        let limit = generator.values.optional { $0.pick([0, 2, 10]) }
        let offset = generator.values.pick([0, 0, 3])
        var rows = sorted(model.rows.filter { test.model(model, $0) }, [key])
        rows = Array(rows.dropFirst(offset).prefix(limit ?? .max))
        return (
            "\(test.text) by \(key.text) \(limit ?? -1) \(offset)",
            Specimen.where(test.native).order { [key.ordering($0)] }.limit(limit)
                .offset(offset), rows
        )
    }

    /// The results of two selections, each once or as often as it comes.
    mutating func joined() -> RandomQuery {
        let tests = (generator.test(1), generator.test(1))
        let texts = (generator.optionalText(1), generator.optionalText(1))
        let prices = (generator.decimal(1), generator.decimal(1))
        let (isDistinct, isDescending) = (generator.values.bool(), generator.values.bool())
        let limit = generator.values.optional { $0.pick([1, 9]) }
        let model = model
        func rows(
            _ test: Test, _ text: Operand<String?>, _ price: Operand<Decimal>
        ) -> [[Cell]] {
            model.rows.filter { test.model(model, $0) }.map {
                [text.model(model, $0).cell, price.model(model, $0).cell]
            }
        }
        var expected = rows(tests.0, texts.0, prices.0) + rows(tests.1, texts.1, prices.1)
        if isDistinct { expected = Array(Set(expected)) }
        expected.sort { left, right in
            if left[1] != right[1] { return left[1].precedes(right[1]) != isDescending }
            return left[0].precedes(right[0])
        }
        let left = Specimen.where(tests.0.native).select {
            (texts.0.native($0), prices.0.native($0))
        }
        let right = Specimen.where(tests.1.native).select {
            (texts.1.native($0), prices.1.native($0))
        }
        let union = (isDistinct ? left.union(right) : left.unionAll(right))
            .order { _, price in isDescending ? price.descending : price.ascending }.limit(limit)
        return RandomQuery(
            text:
                "\(tests.0.text): \(texts.0.text), \(prices.0.text) \(isDistinct ? "union" : "union all") \(tests.1.text): \(texts.1.text), \(prices.1.text)",
            forms: [], union: union.map { [$0.0.cell, $0.1.cell] },
            expected: Array(expected.prefix(limit ?? .max)), isOrdered: true)
    }
}
