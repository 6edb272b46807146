import Foundation
import Skiathos

/// A query, and what Swift makes of the same rows.
struct RandomQuery: Sendable {
    let text: String
    /// The same query in each form that it has.
    let forms: [Selection<Specimen, [Cell]>]
    /// The query, where it is one of several selections together.
    var union: SelectionUnion<[Cell]>?
    /// How many rows there are, where the query counts them.
    var counted: Query<Specimen>?
    let expected: [[Cell]]
    let isOrdered: Bool

    /// What is wrong with an answer, or `nil`.
    func difference(_ found: [[Cell]]) -> String? {
        let isSame =
            isOrdered
            ? found == expected
            : Dictionary(found.map { ($0, 1) }, uniquingKeysWith: +)
                == Dictionary(expected.map { ($0, 1) }, uniquingKeysWith: +)
        return isSame ? nil : "\(text)\n  expected \(expected)\n  found    \(found)"
    }

    /// Runs all forms and returns what is wrong with them.
    func differences(in context: ReadContext) throws -> [String] {
        var differences = try forms.compactMap { difference(try $0.all(in: context)) }
        if let union, let difference = difference(try union.all(in: context)) {
            differences.append(difference)
        }
        if let counted {
            let count = try counted.count(in: context)
            let exists = try counted.exists(in: context)
            if count != expected.count || exists == expected.isEmpty {
                differences.append("\(text)\n  expected \(expected.count), counted \(count)")
            }
        }
        return differences
    }
}

/// A change of the numbers of some rows.
struct RandomChange: Sendable {
    let text: String
    let query: Query<Specimen>
    /// Of the columns outside of any closure, which belong to the row of the query.
    let number: ColumnExpression<Specimen, Int>
    /// How many rows it changes.
    let count: Int
}

/// Makes random queries about random rows.
struct RandomQueries {
    private(set) var model: SpecimenModel
    var generator: QueryGenerator

    init(seed: UInt64, rows: Int) {
        var values = SpecimenGenerator(seed: seed)
        model = SpecimenModel(values.specimens(rows))
        generator = QueryGenerator(seed: values.random.next())
    }

    mutating func next() -> RandomQuery {
        switch generator.number(below: 10) {
        case 8: combined()
        case 9: joined()
        case 0: projected()
        case 1: grouped(generator.int(1))
        case 2: grouped(generator.text(1))
        case 3:
            switch generator.number(below: 4) {
            case 0: grouped(generator.optionalInt(1))
            case 1: grouped(column("kind", { $0.kind }, \.kind))
            case 2: grouped(generator.decimal(1))
            default: grouped(column("optionalFlag", { $0.optionalFlag }, \.optionalFlag))
            }
        default: fetched()
        }
    }

    /// Makes a change and carries it out in the model.
    mutating func nextChange() -> RandomChange {
        let (test, operand) = (generator.test(2), generator.int(1))
        let key = key()
        let limit = generator.values.optional { $0.pick([1, 5, 20]) }
        let old = model
        var rows = sorted(old.rows.filter { test.model(old, $0) }, [key])
        rows = Array(rows.prefix(limit ?? .max))
        let chosen = Set(rows.map(\.id))
        model = SpecimenModel(
            old.rows.map { row in
                guard chosen.contains(row.id) else { return row }
                var row = row
                row.number = operand.model(old, row) % 10
                return row
            })
        return RandomChange(
            text: "\(test.text) by \(key.text): \(operand.text)",
            query: Specimen.where(test.native).order { [key.ordering($0)] }.limit(limit),
            number: operand.native(Specimen.columns) % 10, count: rows.count)
    }

    /// A sort key, and what it sorts by.
    struct Key {
        let text: String
        let ordering: (Specimen.Columns) -> Ordering<Specimen>
        let isDescending: Bool
        let cell: (SpecimenModel, Specimen) -> Cell
    }

    mutating func key() -> Key {
        switch generator.number(below: 8) {
        case 0: key(generator.text(1))
        case 1: key(generator.optionalInt(1))
        case 2: key(generator.decimal(1))
        case 3: key(generator.real(1))
        case 4: key(column("optionalDate", { $0.optionalDate }, \.optionalDate))
        case 5: key(column("key", { $0.key }, \.key))
        case 6: key(generator.optionalText(1))
        default: key(generator.int(1))
        }
    }

    private mutating func key<V>(_ operand: Operand<V>) -> Key {
        let isDescending = generator.values.bool()
        return Key(
            text: operand.text + (isDescending ? " desc" : ""),
            ordering: {
                isDescending ? operand.native($0).descending : operand.native($0).ascending
            },
            isDescending: isDescending, cell: { operand.model($0, $1).cell })
    }

    /// Rows by a condition, an order, a limit and an offset.
    private mutating func fetched() -> RandomQuery {
        let test = mostlyPredicate()
        let keys = (0..<generator.number(below: 3)).map { _ in key() }
        let limit = generator.values.optional { $0.pick([0, 1, 5, 100]) }
        let offset = generator.values.pick([0, 0, 0, 1, 7])
        let model = model
        var rows = model.rows.filter { test.model(model, $0) }
        if !keys.isEmpty { rows = sorted(rows, keys) }
        rows = Array(rows.dropFirst(offset).prefix(limit ?? .max))
        func form(_ query: Query<Specimen>) -> Query<Specimen> {
            query.order { columns in keys.map { $0.ordering(columns) } }.limit(limit).offset(offset)
        }
        var queries = [form(Specimen.where(test.native))]
        if let part = test.part {
            queries.append(form(Specimen.where(Predicate { part($0) })))
        }
        return RandomQuery(
            text: "\(test.text) by \(keys.map(\.text)) \(limit.map { "\($0)" } ?? "-") \(offset)",
            forms: queries.map { $0.select { $0.id }.map { [$0.cell] } }, counted: queries[0],
            expected: rows.map { [$0.id.cell] },
            isOrdered: !keys.isEmpty || limit != nil || offset > 0)
    }

    /// A condition that in most cases can be said in a predicate, too.
    private mutating func mostlyPredicate() -> Test {
        for _ in 0..<generator.values.pick([1, 12]) {
            let test = generator.test(3)
            if test.part != nil { return test }
        }
        return generator.test(3)
    }

    func sorted(_ rows: [Specimen], _ keys: [Key]) -> [Specimen] {
        let decorated = rows.map { row in (row, keys.map { $0.cell(model, row) }) }
        return decorated.sorted { left, right in
            for (position, key) in keys.enumerated() where left.1[position] != right.1[position] {
                return left.1[position].precedes(right.1[position]) != key.isDescending
            }
            return left.0.id.rawValue < right.0.id.rawValue
        }.map(\.0)
    }

    /// What is computed from rows, each result once or as often as it comes.
    private mutating func projected() -> RandomQuery {
        let test = generator.test(1)
        let (first, second, third) = (
            generator.int(2), generator.optionalText(1), generator.decimal(2)
        )
        let isDistinct = generator.values.bool()
        let model = model
        var rows = model.rows.filter { test.model(model, $0) }.map {
            [
                first.model(model, $0).cell, second.model(model, $0).cell,
                third.model(model, $0).cell,
            ]
        }
        var selection = Specimen.where(test.native).select {
            (first.native($0), second.native($0), third.native($0))
        }
        if isDistinct {
            selection = selection.distinct()
            rows = Array(Set(rows))
        }
        return RandomQuery(
            text:
                "\(test.text) select \(first.text), \(second.text), \(third.text)\(isDistinct ? " distinct" : "")",
            forms: [selection.map { [$0.0.cell, $0.1.cell, $0.2.cell] }], expected: rows,
            isOrdered: false)
    }

    /// Aggregates of groups, or of all rows if there are none.
    private mutating func grouped<K: CellValue>(_ key: Operand<K>) -> RandomQuery {
        let test = generator.test(1)
        let (int, real) = (generator.int(1), generator.real(1))
        let (optional, decimal) = (generator.optionalInt(1), generator.decimal(1))
        let text = generator.text(1)
        let least = generator.number(below: 4)
        let isDescending = generator.values.bool()
        let model = model
        let chosen = model.rows.filter { test.model(model, $0) }
        let groups = Dictionary(grouping: chosen) { key.model(model, $0).cell }
            .filter { $0.value.count >= least }
        let keys = groups.keys.sorted { $0.precedes($1) != isDescending && $0 != $1 }
        let expected = keys.map { cell -> [Cell] in
            let rows = groups[cell] ?? []
            let optionals = rows.compactMap { optional.model(model, $0) }
            let prices = rows.map { decimal.model(model, $0) }
            let texts = rows.map { text.model(model, $0).cell }
            let mean =
                optionals.isEmpty ? nil : Double(optionals.reduce(0, +)) / Double(optionals.count)
            return [
                cell, .integer(rows.count), .integer(rows.reduce(0) { $0 + int.model(model, $1) }),
                .real(rows.reduce(0) { $0 + real.model(model, $1) }), mean.cell,
                .decimal(prices.reduce(0, +)), prices.min().cell, prices.max().cell,
                texts.min { $0.precedes($1) } ?? .none, .integer(Set(texts).count),
            ]
        }
        let selection = Specimen.where(test.native).grouped(by: key.native)
            .having { $0.id.count >= least }
            .order { isDescending ? key.native($0).descending : key.native($0).ascending }
            .select {
                (
                    $0.id.count, int.native($0).sum, real.native($0).sum,
                    optional.native($0).average,
                    decimal.native($0).sum, decimal.native($0).min, decimal.native($0).max,
                    text.native($0).min,
                    text.native($0).distinctCount
                )
            }
        return RandomQuery(
            text:
                "\(test.text) by \(key.text) >= \(least): \(int.text), \(real.text), \(optional.text), \(decimal.text), \(text.text)",
            forms: [
                selection.map {
                    let value = $0.value
                    return [
                        $0.key.cell, value.0.cell, value.1.cell, value.2.cell, value.3.cell,
                        value.4.cell, value.5.cell, value.6.cell, value.7.cell, value.8.cell,
                    ]
                }
            ], expected: expected, isOrdered: true)
    }
}

extension Specimen {
    /// Stores rows with the IDs that they have.
    static func insertAll(_ rows: [Specimen], in context: WriteContext) throws {
        for row in rows { try Specimen.insert(row, in: context) }
    }
}
