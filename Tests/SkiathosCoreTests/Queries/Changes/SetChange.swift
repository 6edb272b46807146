import Foundation
import Skiathos
import TestSupport

/// The change gives a value that the column cannot hold.
struct Refused: Error {}

/// A row, with all rows as they were before the change.
struct ChangedRow<T: TestedType>: Sendable {
    let cells: Cells<T>
    let all: [Cells<T>]

    var parent: Cells<T>? { all.first { $0.id == cells.parent } }
}

/// A set-based change of one column, and what plain Swift makes of a row.
struct SetChange<T: TestedType>: Sendable {
    let text: String
    let assignment: Assignment<Cells<T>>
    /// Changes the row, or throws ``Refused``.
    let apply: @Sendable (inout Cells<T>, ChangedRow<T>) throws -> Void

    /// Sets `first`.
    static func first(
        _ text: String, _ assignment: Assignment<Cells<T>>,
        _ model: @escaping @Sendable (ChangedRow<T>) throws -> T.Coding.Value
    ) -> SetChange {
        SetChange(text: "first: \(text)", assignment: assignment) { $0.first = try model($1) }
    }

    /// Sets `optional`.
    static func optional(
        _ text: String, _ assignment: Assignment<Cells<T>>,
        _ model: @escaping @Sendable (ChangedRow<T>) throws -> T.Coding.Value?
    ) -> SetChange {
        SetChange(text: "optional: \(text)", assignment: assignment) { $0.optional = try model($1) }
    }
}

/// Makes random changes of columns of one type.
struct ChangeGenerator<T: TestedType> {
    var random: SeededNumbers
    let columns = Cells<T>.columns

    mutating func pick<V>(_ values: [V]) -> V {
        values[Int.random(in: 0..<values.count, using: &random)]
    }

    mutating func number(below limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

    mutating func constant() -> T.Coding.Value { pick(T.extremes) }

    /// Rows at the limits of the type.
    mutating func fill(_ cells: inout Cells<T>) {
        cells.first = constant()
        cells.second = constant()
        cells.optional = number(below: 3) == 0 ? nil : constant()
    }

    /// A change by values that are there already.
    mutating func copy() -> SetChange<T> {
        let constant = constant()
        let (columns, hasNone) = (columns, columns.optional == nil)
        let changes: [SetChange<T>] = [
            .first("second", columns.first.set(to: columns.second)) { $0.cells.second },
            .first("\(constant)", columns.first.set(to: constant)) { _ in constant },
            .first("optional ?? second", columns.first.set(to: columns.optional ?? columns.second))
            {
                $0.cells.optional ?? $0.cells.second
            },
            .first("optional ?? constant", columns.first.set(to: columns.optional ?? constant)) {
                $0.cells.optional ?? constant
            },
            .first(
                "optional == nil ? second : first",
                columns.first.set(to: hasNone.then(columns.second, else: columns.first))
            ) { $0.cells.optional == nil ? $0.cells.second : $0.cells.first },
            .first(
                "parent.first ?? second",
                columns.first.set(to: columns.parent.first ?? columns.second)
            ) { $0.parent?.first ?? $0.cells.second },
            .optional("nil", columns.optional.set(to: nil)) { _ in nil },
            .optional("\(constant)", columns.optional.set(to: constant)) { _ in constant },
            .optional("first", columns.optional.set(to: columns.first.optional)) { $0.cells.first },
            .optional("parent.first", columns.optional.set(to: columns.parent.first)) {
                $0.parent?.first
            },
        ]
        return pick(changes)
    }
}

extension ChangeGenerator where T: TestedNumber {
    /// A change by a number that is computed.
    mutating func computed() -> SetChange<T> {
        let constant = constant()
        let tree = tree(2)
        switch number(below: 4) {
        case 0:
            return .first("add \(constant)", columns.first.add(constant)) { row in
                let sum = try T.combine(.add, T.wide(row.cells.first), T.wide(constant))
                return try T.narrow(sum ?? T.wide(constant))
            }
        case 1:
            return .optional(tree.text, columns.optional.set(to: tree.native.optional)) {
                try T.narrow(tree.model($0))
            }
        default:
            return .first(tree.text, columns.first.set(to: tree.native)) {
                try T.narrow(tree.model($0))
            }
        }
    }

    private mutating func tree(_ depth: Int) -> NumberTree<T> {
        let constant = constant()
        guard depth > 0 else { return leaf(constant) }
        let (left, right) = (tree(depth - 1), tree(depth - 1))
        switch number(below: 9) {
        case 0: return leaf(constant)
        case 1: return .combining("+", .add, left, right, left.native + right.native)
        case 2: return .combining("-", .subtract, left, right, left.native - right.native)
        case 3: return .combining("*", .multiply, left, right, left.native * right.native)
        case 4:
            let number = NumberTree<T>("\(constant)", left.native) { _ in T.wide(constant) }
            let trees: [NumberTree<T>] = [
                .combining("+", .add, left, number, left.native + constant),
                .combining("-", .subtract, left, number, left.native - constant),
                .combining("-", .subtract, number, left, constant - left.native),
                .combining("*", .multiply, left, number, left.native * constant),
            ]
            return pick(trees)
        case 5:
            guard constant != .zero else { return left }
            let number = NumberTree<T>("\(constant)", left.native) { _ in T.wide(constant) }
            return .combining("/", .divide, left, number, left.native / constant)
        case 6:
            let quotient = left.native / right.native
            return NumberTree("(\(left.text) / \(right.text) ?? \(constant))", quotient ?? constant)
            {
                try T.combine(.divide, try left.model($0), try right.model($0)) ?? T.wide(constant)
            }
        case 7:
            let test = columns.optional == nil
            return NumberTree(
                "(optional == nil ? \(left.text) : \(right.text))",
                test.then(left.native, else: right.native)
            ) {
                try $0.cells.optional == nil ? left.model($0) : right.model($0)
            }
        default: return pick([left] + T.more(left, constant))
        }
    }

    private mutating func leaf(_ constant: T.Coding.Value) -> NumberTree<T> {
        switch number(below: 6) {
        case 0: NumberTree("second", columns.second.expression) { T.wide($0.cells.second) }
        case 1:
            NumberTree("(optional ?? \(constant))", columns.optional ?? constant) {
                T.wide($0.cells.optional ?? constant)
            }
        case 2:
            NumberTree("(parent.first ?? \(constant))", columns.parent.first ?? constant) {
                T.wide($0.parent?.first ?? constant)
            }
        default: NumberTree("first", columns.first.expression) { T.wide($0.cells.first) }
        }
    }
}

extension ChangeGenerator where T == DateType {
    /// A change by a date that is computed.
    mutating func computed() -> SetChange<T> {
        let seconds: Double = pick([
            0.1, 1, -1, 86_400, -3e9, 3e9, 1e300, -.infinity, 2.5e11, -6.3e10,
        ])
        let again: Double = pick([0, 1, -1, -2.5e11])
        let shifted = columns.first.adding(seconds).adding(again)
        let model: @Sendable (ChangedRow<T>) throws -> Date = { row in
            let date = Date(
                timeIntervalSinceReferenceDate:
                    row.cells.first.timeIntervalSinceReferenceDate + seconds + again)
            guard date >= .earliestStorable, date < .latestStorable else { throw Refused() }
            return date
        }
        let text = "first + \(seconds) + \(again)"
        let changes: [SetChange<T>] = [
            .first(text, columns.first.set(to: shifted), model),
            .optional(text, columns.optional.set(to: shifted.optional), model),
        ]
        return pick(changes)
    }
}

extension ChangeGenerator where T == TextType {
    /// A change by a text that is computed.
    mutating func computed() -> SetChange<T> {
        let constant = constant()
        let changes: [SetChange<T>] = [
            .first("first + second", columns.first.set(to: columns.first + columns.second)) {
                $0.cells.first + $0.cells.second
            },
            .first("constant + first", columns.first.set(to: constant + columns.first)) {
                constant + $0.cells.first
            },
            .first("lowercased", columns.first.set(to: columns.first.lowercased())) {
                $0.cells.first.lowercased()
            },
            .optional("uppercased", columns.optional.set(to: columns.optional.uppercased())) {
                $0.cells.optional?.uppercased()
            },
            .first(
                "replacing", columns.first.set(to: columns.second.replacing("a", with: constant))
            ) { row in
                row.cells.second.unicodeScalars.map { $0 == "a" ? constant : String($0) }.joined()
            },
        ]
        return pick(changes)
    }
}
