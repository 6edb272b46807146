import Skiathos
import TestSupport

/// A query with numbers and conditions in places that may be the wrong ones.
struct PlacedQuery: Sendable {
    let text: String
    /// What comes out; `nil` if the query has to be refused.
    let expected: [[Int]]?
    let run: @Sendable (WriteContext) throws -> [[Int]]
}

/// Makes such queries.
struct PlacedQueries {
    let model: SpecimenModel
    private var random: SeededNumbers

    init(seed: UInt64, rows: Int) {
        var values = SpecimenGenerator(seed: seed)
        model = SpecimenModel(values.specimens(rows))
        random = SeededNumbers(seed: values.random.next())
    }

    private mutating func number(below limit: Int) -> Int {
        Int.random(in: 0..<limit, using: &random)
    }

    /// A number that has aggregates with a probability of some percent at each place.
    private mutating func tree(_ depth: Int, _ percent: Int) -> Tree {
        if number(below: 100) < percent {
            let inner = depth > 0 ? tree(depth - 1, 8) : .number
            return [.count, .sum(inner), .largest(inner)][number(below: 3)]
        }
        guard depth > 0 else {
            return [.number, .number, .optionalNumber, .parentNumber][number(below: 4)]
        }
        switch number(below: 6) {
        case 0: return .plus(tree(depth - 1, percent), tree(depth - 1, percent))
        case 1: return .plusConstant(tree(depth - 1, percent), number(below: 4))
        case 2:
            return .choice(
                test(depth - 1, percent), tree(depth - 1, percent), tree(depth - 1, percent))
        case 3: return .childrenSum(tree(depth - 1, percent / 4))
        default: return tree(0, percent)
        }
    }

    private mutating func test(_ depth: Int, _ percent: Int) -> TreeTest {
        switch number(below: depth > 0 ? 7 : 2) {
        case 0: .greater(tree(depth, percent), number(below: 6) - 2)
        case 1: .equal(tree(depth, percent), tree(depth, percent))
        case 2: .not(test(depth - 1, percent))
        case 3: .both(test(depth - 1, percent), test(depth - 1, percent))
        case 4: .anyChild(test(depth - 1, percent / 4))
        case 5: .parentMeets(test(depth - 1, percent / 4))
        default: .greater(tree(depth, percent), number(below: 20))
        }
    }

    private func value(_ tree: Tree, _ row: Specimen) -> Int {
        TreeValues(model: model, rows: [row]).value(tree)
    }

    private func holds(_ test: TreeTest, _ row: Specimen) -> Bool {
        TreeValues(model: model, rows: [row]).holds(test)
    }

    mutating func next() -> PlacedQuery {
        switch number(below: 7) {
        case 0: fetched()
        case 1: ordered()
        case 2: selected()
        case 3: changed()
        case 4: summed()
        default: grouped()
        }
    }

    private mutating func fetched() -> PlacedQuery {
        let test = test(2, 6)
        let ids = test.isAboutRow ? model.rows.filter { holds(test, $0) }.map(\.id) : []
        let query = Specimen.where { test.native($0) }
        let way = number(below: 4)
        let expected =
            switch way {
            case 0: ids.map { [Int($0.rawValue)] }
            case 1: [[ids.count]]
            case 2: [[ids.isEmpty ? 0 : 1]]
            default: [[ids.count]]
            }
        return PlacedQuery(
            text: "where \(test), \(way)", expected: test.isAboutRow ? expected : nil
        ) { context in
            switch way {
            case 0:
                try query.order { $0.id.ascending }.ids(in: context).map { [Int($0.rawValue)] }
            case 1: [[try query.count(in: context)]]
            case 2: [[try query.exists(in: context) ? 1 : 0]]
            default: [[try query.update(set: { [$0.text.set(to: "x")] }, in: context)]]
            }
        }
    }

    private mutating func ordered() -> PlacedQuery {
        let tree = tree(2, 10)
        let isValid = tree.isAboutRow
        let rows = isValid ? model.rows.map { (value(tree, $0), $0.id.rawValue) }.sorted(by: <) : []
        let query = Specimen.order { tree.native($0).ascending }
        return PlacedQuery(
            text: "order \(tree)", expected: isValid ? rows.map { [Int($0.1)] } : nil
        ) {
            try query.all(in: $0).map { [Int($0.id.rawValue)] }
        }
    }

    private mutating func selected() -> PlacedQuery {
        let percent = [0, 60, 25][number(below: 3)]
        let (first, second) = (tree(1, percent), tree(1, percent))
        let key = number(below: 3) == 0 ? tree(1, percent) : nil
        let all = [first, second] + (key.map { [$0] } ?? [])
        let isAggregated = all.contains(where: \.hasAggregate)
        let isValid = all.allSatisfy { isAggregated ? $0.isAboutGroup([]) : $0.isAboutRow }
        var expected: [[Int]]?
        if isValid {
            let groups =
                isAggregated
                ? [TreeValues(model: model, rows: model.rows)]
                : model.rows.map { TreeValues(model: model, rows: [$0]) }
            let sorted =
                isAggregated
                ? groups
                : groups.sorted {
                    let left = (key.map($0.value) ?? 0, $0.rows[0].id.rawValue)
                    return left < (key.map($1.value) ?? 0, $1.rows[0].id.rawValue)
                }
            expected = sorted.map { [$0.value(first), $0.value(second)] }
        }
        let query = Specimen.order { columns in
            key.map { [$0.native(columns).ascending] }
                ?? (isAggregated ? [] : [columns.id.ascending])
        }
        return PlacedQuery(
            text: "select \(first), \(second) order \(key.map { "\($0)" } ?? "-")",
            expected: expected
        ) {
            try query.select { (first.native($0), second.native($0)) }.all(in: $0).map { [$0, $1] }
        }
    }

    private mutating func changed() -> PlacedQuery {
        let (test, tree) = (test(1, 3), tree(2, 8))
        let isValid = test.isAboutRow && tree.isAboutRow
        let rows = model.rows.map { row in
            isValid && holds(test, row) ? value(tree, row) : row.number
        }
        let query = Specimen.where { test.native($0) }
        return PlacedQuery(
            text: "update \(tree) where \(test)", expected: isValid ? rows.map { [$0] } : nil
        ) { context in
            try query.update(set: { [$0.number.set(to: tree.native($0))] }, in: context)
            return try Specimen.order { $0.id.ascending }.all(in: context).map { [$0.number] }
        }
    }

    private mutating func summed() -> PlacedQuery {
        let (test, tree) = (test(1, 3), tree(2, 8))
        let isValid = test.isAboutRow && tree.isAboutRow
        let rows = isValid ? model.rows.filter { holds(test, $0) } : []
        return PlacedQuery(
            text: "sum \(tree) where \(test)",
            expected: isValid ? [[rows.reduce(0) { $0 + value(tree, $1) }]] : nil
        ) {
            [[try Specimen.sum(of: { tree.native($0) }, where: { test.native($0) }, in: $0)]]
        }
    }

    private mutating func grouped() -> PlacedQuery {
        let keys = (tree(1, 3), tree(1, 0))
        let all = [keys.0, keys.1]
        let (test, result) = (groupTest(all), groupTree(2, all))
        let order = number(below: 3) > 0 ? groupTree(1, all) : nil
        let hasCondition = number(below: 3) > 0
        let isValid =
            all.allSatisfy(\.isAboutRow) && result.isAboutGroup(all)
            && (order?.isAboutGroup(all) ?? true) && (!hasCondition || test.isAboutGroup(all))
        var expected: [[Int]]?
        if isValid {
            let groups = Dictionary(grouping: model.rows) {
                [value(keys.0, $0), value(keys.1, $0)]
            }
            let values = groups.map { key, rows in
                TreeValues(
                    model: model,
                    keys: Dictionary(zip(all, key)) { first, _ in first }, rows: rows)
            }
            let lines = values.filter { !hasCondition || $0.holds(test) }.map { group in
                (
                    order.map(group.value) ?? 0, group.value(keys.0), group.value(keys.1),
                    group.value(result)
                )
            }
            expected = lines.sorted(by: <).map { [$0.1, $0.2, $0.3] }
        }
        var grouping = Specimen.grouped { (keys.0.native($0), keys.1.native($0)) }
        if let order { grouping = grouping.order { order.native($0).ascending } }
        if hasCondition { grouping = grouping.having { test.native($0) } }
        let selection = grouping.select { result.native($0) }
        return PlacedQuery(
            text:
                "group \(all) having \(hasCondition ? "\(test)" : "-") order \(order.map { "\($0)" } ?? "-") select \(result)",
            expected: expected
        ) {
            try selection.all(in: $0).map { [$0.key.0, $0.key.1, $0.value] }
        }
    }

    /// A number about a group in most cases.
    private mutating func groupTree(_ depth: Int, _ keys: [Tree]) -> Tree {
        switch number(below: 10) {
        case 0: tree(depth, 30)
        case 1, 2, 3: keys[number(below: keys.count)]
        case 4 where depth > 0:
            .plus(groupTree(depth - 1, keys), groupTree(depth - 1, keys))
        case 5 where depth > 0:
            .choice(groupTest(keys), groupTree(depth - 1, keys), groupTree(depth - 1, keys))
        default: [.count, .sum(tree(1, 1)), .largest(tree(1, 1))][number(below: 3)]
        }
    }

    private mutating func groupTest(_ keys: [Tree]) -> TreeTest {
        switch number(below: 8) {
        case 0: test(1, 30)
        case 1: .equal(groupTree(0, keys), groupTree(0, keys))
        case 2: .not(.greater(groupTree(0, keys), 3))
        default: .greater(groupTree(0, keys), number(below: 5) - 1)
        }
    }
}
