/// A condition that is tested on one row in memory, without the store.
///
/// ```swift
/// RowCondition(age >= 18, of: User.schema).answer(for: [.integer(1), .integer(17)])   // false
/// ```
///
/// What other rows decide, or a function of the store, cannot be decided; such a part leaves the
/// answer open unless the others settle it (Kleene's logic).
///
/// Small, since thousands may be tested when a row changes.
package struct RowCondition: Sendable {
    private let test: Test
    /// Whether every row has an answer.
    package let isDecidable: Bool
    /// The columns on whose values the answer depends.
    package let columns: ColumnSet

    /// Makes the condition of a request for rows of an entity.
    package init(_ predicate: StorePredicate, of entity: EntitySchema) {
        test = Test(predicate, entity)
        isDecidable = test.isDecidable
        columns = test.columns
    }

    /// What every row that meets the condition has in common.
    package var path: AccessPath { AccessPath(test) }

    /// The text that a column has to contain, if that is all of the condition.
    package var textSearch: (search: TextSearch, text: [UInt8])? {
        guard case .match(let operand, let match, let text) = test else { return nil }
        return (TextSearch(operand, match), text)
    }

    /// Whether a row meets the condition; `nil` if that cannot be decided.
    ///
    /// - Parameter row: The values of all columns, in the order of the schema.
    package func answer(for row: [StoreValue]) -> Bool? { test.answer(for: row) }
}

/// How a column has to contain a text.
package struct TextSearch: Hashable, Sendable {
    private let operand: Test.Operand
    private let match: StorePredicate.TextMatch

    fileprivate init(_ operand: Test.Operand, _ match: StorePredicate.TextMatch) {
        self.operand = operand
        self.match = match
    }

    /// The column.
    package var column: Int { operand.column }

    /// Runs a closure with a function that says whether a row contains a text, given as its UTF-8 bytes;
    /// no row contains any.
    package func withMatcher<R>(
        _ row: [StoreValue]?, _ body: ((UnsafeBufferPointer<UInt8>) -> Bool) -> R
    ) -> R {
        guard let row, case .text(var whole) = operand.value(in: row) else {
            return body { _ in false }
        }
        return whole.withUTF8 { whole in body { match.holds(whole, $0) } }
    }
}

/// A part of a condition in the form that is tested.
indirect enum Test: Sendable {
    /// What is compared: a column, or a text in lower case.
    struct Operand: Hashable, Sendable {
        let column: Int
        var isFolded = false

        func value(in row: [StoreValue]) -> StoreValue {
            guard isFolded, case .text(let text) = row[column] else { return row[column] }
            return .text(text.lowercased())
        }
    }

    case constant(Bool)
    /// Decided by other rows, or by a function of the store.
    case unknown
    /// A value compared with a constant.
    case value(Operand, StorePredicate.Comparison, StoreValue)
    /// Two values compared.
    case values(Operand, StorePredicate.Comparison, Operand)
    case contained(Operand, Set<StoreValue>)
    /// A text that contains another one, which is there as its UTF-8 bytes.
    case match(Operand, StorePredicate.TextMatch, [UInt8])
    case all([Test])
    case any([Test])
    case not(Test)

    init(_ predicate: StorePredicate, _ entity: EntitySchema) {
        switch predicate {
        case .constant(let value): self = .constant(value)
        case .comparison(let left, let comparison, let right):
            self = Self.comparison(left, comparison, right, entity) ?? .unknown
        case .contained(let operand, let values):
            self =
                Operand(operand, entity, comparedWith: values).map {
                    Self.contained($0, in: values)
                }
                ?? .unknown
        case .match(let operand, let match, .value(.text(let text))):
            self = Operand(operand, entity).map { .match($0, match, Array(text.utf8)) } ?? .unknown
        case .all(let parts): self = .all(parts.map { Test($0, entity) })
        case .any(let parts): self = .any(parts.map { Test($0, entity) })
        case .not(let part): self = .not(Test(part, entity))
        case .match, .containedIn, .through, .related, .descent, .among, .outer, .search:
            self = .unknown
        }
    }

    /// A list of one value, such as the ID of an observed row, needs no set.
    private static func contained(_ operand: Operand, in values: [StoreValue]) -> Test {
        switch values.first {
        case .integer, .text, .blob:
            if values.count == 1 { return .value(operand, .equal, values[0]) }
        case .real, .null, nil: break
        }
        return .contained(operand, Set(values))
    }

    private static func comparison(
        _ left: StoreExpression, _ comparison: StorePredicate.Comparison, _ right: StoreExpression,
        _ entity: EntitySchema
    ) -> Test? {
        switch (left, right) {
        case (_, .value(let value)):
            return Operand(left, entity, comparedWith: [value]).map {
                .value($0, comparison, value)
            }
        case (.value(let value), _):
            return Operand(right, entity, comparedWith: [value])
                .map { .value($0, comparison.mirrored, value) }
        default:
            guard let left = Operand(left, entity), let right = Operand(right, entity) else {
                return nil
            }
            return .values(left, comparison, right)
        }
    }

    var isDecidable: Bool {
        switch self {
        case .unknown: false
        case .constant, .value, .values, .contained, .match: true
        case .all(let parts), .any(let parts): parts.allSatisfy(\.isDecidable)
        case .not(let part): part.isDecidable
        }
    }

    /// The columns on whose values the answer depends.
    var columns: ColumnSet {
        switch self {
        case .constant, .unknown: []
        case .value(let operand, _, _), .contained(let operand, _), .match(let operand, _, _):
            [operand.column]
        case .values(let left, _, let right): [left.column, right.column]
        case .all(let parts), .any(let parts):
            parts.reduce(into: []) { $0.formUnion($1.columns) }
        case .not(let part): part.columns
        }
    }

    func answer(for row: [StoreValue]) -> Bool? {
        switch self {
        case .constant(let value): value
        case .unknown: nil
        case .value(let operand, let comparison, let value):
            comparison.holds(operand.value(in: row), value)
        case .values(let left, let comparison, let right):
            comparison.holds(left.value(in: row), right.value(in: row))
        case .contained(let operand, let values): values.contains(operand.value(in: row))
        case .match(let operand, let match, let text):
            if case .text(let whole) = operand.value(in: row) {
                match.holds(whole, text)
            } else {
                false
            }
        case .all(let parts): Self.answer(parts, for: row, unless: false)
        case .any(let parts): Self.answer(parts, for: row, unless: true)
        case .not(let part): part.answer(for: row).map { !$0 }
        }
    }

    /// The answer that one part settles alone, or else what all parts say together.
    private static func answer(
        _ parts: [Test], for row: [StoreValue], unless settling: Bool
    ) -> Bool? {
        var answer: Bool? = !settling
        for part in parts {
            guard let own = part.answer(for: row) else {
                answer = nil
                continue
            }
            if own == settling { return own }
        }
        return answer
    }
}

extension Test.Operand {
    /// The operand of an expression; `nil` unless its values are compared as they are stored, and
    /// with values of the same storage class.
    fileprivate init?(
        _ expression: StoreExpression, _ entity: EntitySchema,
        comparedWith values: [StoreValue] = []
    ) {
        switch expression {
        case .column(let column): self.init(column: column)
        case .call(.lowercased, let arguments):
            guard arguments.count == 1, case .column(let column) = arguments[0],
                entity.columns[column].storage == .text
            else { return nil }
            self.init(column: column, isFolded: true)
        default: return nil
        }
        let storage = entity.columns[column].storage
        // Decimal numbers are compared by their numeric values.
        guard storage != .decimal, values.allSatisfy({ $0.fits(storage, isOptional: true) }) else {
            return nil
        }
    }
}

extension StorePredicate.Comparison {
    /// The comparison with its sides exchanged.
    var mirrored: StorePredicate.Comparison {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// Whether it holds between two values; `nil` for values of different storage classes.
    func holds(_ left: StoreValue, _ right: StoreValue) -> Bool? {
        switch (left == .null, right == .null) {
        case (false, false): break
        // Like the store, which compares these two with IS.
        case (true, true): return self == .equal
        default: return self == .notEqual
        }
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return holds(left, right)
        case (.real(let left), .real(let right)): return holds(left, right)
        case (.text(let left), .text(let right)):
            return holds(StoredText(left), StoredText(right))
        case (.blob(let left), .blob(let right)):
            if left == right { return holds(0, 0) }
            return left.lexicographicallyPrecedes(right) ? holds(0, 1) : holds(1, 0)
        default: return nil
        }
    }

    private func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}

extension StorePredicate.TextMatch {
    /// Whether a text contains another one at this position, compared by Unicode scalars.
    ///
    /// Called for every observed condition about texts when a row changes, so it copies nothing.
    func holds(_ whole: String, _ part: [UInt8]) -> Bool {
        var whole = whole
        return whole.withUTF8 { whole in part.withUnsafeBufferPointer { holds(whole, $0) } }
    }

    fileprivate func holds(
        _ whole: UnsafeBufferPointer<UInt8>, _ part: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let first = part.first else { return true }
        guard whole.count >= part.count else { return false }
        let last = whole.count - part.count
        func isAt(_ start: Int) -> Bool {
            guard whole[start] == first else { return false }
            for offset in 1..<part.count where whole[start + offset] != part[offset] {
                return false
            }
            return true
        }
        return switch self {
        case .prefix: isAt(0)
        case .suffix: isAt(last)
        case .contains: (0...last).contains(where: isAt)
        }
    }
}
