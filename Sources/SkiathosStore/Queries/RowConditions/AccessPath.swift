/// What every row that meets a condition has in common, by which an index finds the condition.
package enum AccessPath: Sendable {
    /// The column has one of some values.
    case equal(column: Int, values: [StoreValue])
    /// The value of the column lies in a range.
    case range(column: Int, ValueRange)
    /// No row meets the condition.
    case never
    /// Nothing that an index can use.
    case none

    init(_ test: Test) {
        switch test {
        case .constant(false): self = .never
        case .value(let operand, _, _) where operand.isFolded: self = .none
        case .value(let operand, .equal, let value):
            self = .equal(column: operand.column, values: [value])
        case .value(let operand, let comparison, let value):
            self =
                ValueRange(comparison, value).map { .range(column: operand.column, $0) } ?? .none
        case .contained(_, let values) where values.isEmpty: self = .never
        case .contained(let operand, let values):
            self =
                operand.isFolded ? .none : .equal(column: operand.column, values: Array(values))
        case .all(let parts): self = Self.intersection(parts.map { AccessPath($0) })
        case .any(let parts): self = Self.union(parts.map { AccessPath($0) })
        case .constant, .unknown, .values, .match, .not: self = .none
        }
    }

    /// The best of several paths that all apply: the fewest rows, as far as that is known.
    private static func intersection(_ paths: [AccessPath]) -> AccessPath {
        var best = AccessPath.none
        var ranges: [Int: ValueRange] = [:]
        for path in paths {
            switch (path, best) {
            case (.never, _): return .never
            case (.equal(_, let values), .equal(_, let others)):
                if values.count < others.count { best = path }
            case (.equal, _): best = path
            case (.range(let column, let range), _):
                ranges[column] = ranges[column].map { $0.intersection(range) } ?? range
            case (.none, _): break
            }
        }
        if case .none = best, let (column, range) = ranges.min(by: { $0.key < $1.key }) {
            return .range(column: column, range)
        }
        return best
    }

    /// A path of which one of several applies, if they are equalities of one column.
    private static func union(_ paths: [AccessPath]) -> AccessPath {
        var column: Int?
        var values: [StoreValue] = []
        for path in paths {
            switch path {
            case .never: break
            case .equal(let other, let more) where column == nil || column == other:
                column = other
                values += more
            case .equal, .range, .none: return .none
            }
        }
        return column.map { .equal(column: $0, values: Array(Set(values))) } ?? .never
    }
}
