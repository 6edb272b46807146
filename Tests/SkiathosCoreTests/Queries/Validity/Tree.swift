import Skiathos

/// A number in a query, made of columns and aggregates, which may stand where it must not.
indirect enum Tree: Hashable, Sendable {
    case number
    case optionalNumber
    case parentNumber
    case plus(Tree, Tree)
    case plusConstant(Tree, Int)
    case choice(TreeTest, Tree, Tree)
    /// The sum of a number of the children of the row.
    case childrenSum(Tree)
    case count
    case sum(Tree)
    case largest(Tree)
}

/// A condition in a query, made of such numbers.
indirect enum TreeTest: Hashable, Sendable {
    case greater(Tree, Int)
    case equal(Tree, Tree)
    case not(TreeTest)
    case both(TreeTest, TreeTest)
    case anyChild(TreeTest)
    case parentMeets(TreeTest)
}

// As they are written with the columns of a row.
extension Tree {
    func native(_ columns: Specimen.Columns) -> ColumnExpression<Specimen, Int> {
        switch self {
        case .number: columns.number.expression
        case .optionalNumber: columns.optionalNumber ?? -1
        case .parentNumber: columns.parent.number ?? -2
        case .plus(let left, let right): left.native(columns) + right.native(columns)
        case .plusConstant(let tree, let number): tree.native(columns) + number
        case .choice(let test, let first, let second):
            test.native(columns).then(first.native(columns), else: second.native(columns))
        case .childrenSum(let tree): columns.children.sum { tree.native($0) }
        case .count: columns.id.count
        case .sum(let tree): tree.native(columns).sum
        case .largest(let tree): tree.native(columns).max ?? -3
        }
    }
}

extension TreeTest {
    func native(_ columns: Specimen.Columns) -> Condition<Specimen> {
        switch self {
        case .greater(let tree, let number): tree.native(columns) > number
        case .equal(let left, let right): left.native(columns) == right.native(columns)
        case .not(let test): !test.native(columns)
        case .both(let left, let right): left.native(columns) && right.native(columns)
        case .anyChild(let test): columns.children.exists { test.native($0) }
        case .parentMeets(let test): columns.parent.matches { test.native($0) }
        }
    }
}

// Where they may stand. About a row: no aggregate, however deep. About a group: keys, aggregates of
// what may be about a row, and what is put together of these.
extension Tree {
    var isAboutRow: Bool {
        switch self {
        case .number, .optionalNumber, .parentNumber: true
        case .plus(let left, let right): left.isAboutRow && right.isAboutRow
        case .plusConstant(let tree, _), .childrenSum(let tree): tree.isAboutRow
        case .choice(let test, let first, let second):
            test.isAboutRow && first.isAboutRow && second.isAboutRow
        case .count, .sum, .largest: false
        }
    }

    func isAboutGroup(_ keys: [Tree]) -> Bool {
        if keys.contains(self) { return true }
        return switch self {
        case .number, .optionalNumber, .parentNumber, .childrenSum: false
        case .plus(let left, let right): left.isAboutGroup(keys) && right.isAboutGroup(keys)
        case .plusConstant(let tree, _): tree.isAboutGroup(keys)
        case .choice(let test, let first, let second):
            test.isAboutGroup(keys) && first.isAboutGroup(keys) && second.isAboutGroup(keys)
        case .count: true
        case .sum(let tree), .largest(let tree): tree.isAboutRow
        }
    }

    /// Whether it makes one row out of many where it is selected.
    var hasAggregate: Bool {
        switch self {
        case .number, .optionalNumber, .parentNumber, .childrenSum: false
        case .plus(let left, let right): left.hasAggregate || right.hasAggregate
        case .plusConstant(let tree, _): tree.hasAggregate
        case .choice(let test, let first, let second):
            test.hasAggregate || first.hasAggregate || second.hasAggregate
        case .count, .sum, .largest: true
        }
    }
}

extension TreeTest {
    var isAboutRow: Bool {
        switch self {
        case .greater(let tree, _): tree.isAboutRow
        case .equal(let left, let right): left.isAboutRow && right.isAboutRow
        case .not(let test), .anyChild(let test), .parentMeets(let test): test.isAboutRow
        case .both(let left, let right): left.isAboutRow && right.isAboutRow
        }
    }

    func isAboutGroup(_ keys: [Tree]) -> Bool {
        switch self {
        case .greater(let tree, _): tree.isAboutGroup(keys)
        case .equal(let left, let right): left.isAboutGroup(keys) && right.isAboutGroup(keys)
        case .not(let test): test.isAboutGroup(keys)
        case .both(let left, let right): left.isAboutGroup(keys) && right.isAboutGroup(keys)
        case .anyChild, .parentMeets: false
        }
    }

    var hasAggregate: Bool {
        switch self {
        case .greater(let tree, _): tree.hasAggregate
        case .equal(let left, let right): left.hasAggregate || right.hasAggregate
        case .not(let test): test.hasAggregate
        case .both(let left, let right): left.hasAggregate || right.hasAggregate
        case .anyChild, .parentMeets: false
        }
    }
}

/// What plain Swift computes of a row, or of a group of rows.
struct TreeValues {
    let model: SpecimenModel
    /// The keys of the group, each with its value.
    var keys: [Tree: Int] = [:]
    /// The rows of the group, or the one row.
    var rows: [Specimen]

    func of(_ row: Specimen) -> TreeValues { TreeValues(model: model, rows: [row]) }

    func value(_ tree: Tree) -> Int {
        if let key = keys[tree] { return key }
        switch tree {
        case .number: return rows[0].number
        case .optionalNumber: return rows[0].optionalNumber ?? -1
        case .parentNumber: return model.parent(of: rows[0])?.number ?? -2
        case .plus(let left, let right): return value(left) + value(right)
        case .plusConstant(let tree, let number): return value(tree) + number
        case .choice(let test, let first, let second):
            return holds(test) ? value(first) : value(second)
        case .childrenSum(let tree):
            return model.children(of: rows[0]).reduce(0) { $0 + of($1).value(tree) }
        case .count: return rows.count
        case .sum(let tree): return rows.reduce(0) { $0 + of($1).value(tree) }
        case .largest(let tree): return rows.map { of($0).value(tree) }.max() ?? -3
        }
    }

    func holds(_ test: TreeTest) -> Bool {
        switch test {
        case .greater(let tree, let number): value(tree) > number
        case .equal(let left, let right): value(left) == value(right)
        case .not(let test): !holds(test)
        case .both(let left, let right): holds(left) && holds(right)
        case .anyChild(let test): model.children(of: rows[0]).contains { of($0).holds(test) }
        case .parentMeets(let test): model.parent(of: rows[0]).map { of($0).holds(test) } ?? false
        }
    }
}
