import SkiathosStore

/// A request without its values, for requests whose SQL is the same whatever these are: the key
/// under which a connection keeps the compiled statement.
///
/// Most requests consist of conditions that compare columns with values, and sort keys that
/// are columns. Writing their SQL costs as much as fetching two rows. Other requests have no
/// shape, since their SQL may depend on the values.
struct RequestShape: Hashable {
    /// The kind of the request.
    enum Purpose: Int32 {
        case select
        case count
        case exists
    }

    /// The parts in their order, each with a number that identifies it and its number of
    /// operands.
    private var parts: [Int32]
    /// The values, in the order of the statement's parameters.
    private(set) var parameters: [StoreValue] = []

    /// The shape of a request, if it has one.
    init?(_ request: FetchRequest, for purpose: Purpose) {
        parts = [purpose.rawValue, Int32(request.entity)]
        parts.reserveCapacity(16)
        if let predicate = request.predicate {
            guard append(predicate) else { return nil }
        }
        for key in request.order {
            guard purpose == .select else {
                // A misplaced aggregate is refused where the SQL is written.
                guard AggregateRules.isAboutRow(key.expression) else { return nil }
                continue
            }
            guard case .column(let column) = key.expression else { return nil }
            parts += [key.descending ? Part.descending : Part.ascending, Int32(column)]
        }
        appendWindow(of: request)
    }

    /// The shape alone, which keeps no values in memory.
    var withoutParameters: RequestShape {
        var copy = self
        copy.parameters = []
        return copy
    }

    /// Only the shape counts, and not the values.
    static func == (left: RequestShape, right: RequestShape) -> Bool { left.parts == right.parts }

    func hash(into hasher: inout Hasher) {
        parts.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    private mutating func append(_ predicate: StorePredicate) -> Bool {
        switch predicate {
        case .comparison(.column(let column), let comparison, .value(let value)):
            let part = value == .null ? Part.comparisonWithNull : Part.comparison
            parts += [part, Int32(column), comparison.number]
            parameters.append(value)
            return true
        case .all(let conditions): return append(conditions, as: Part.all)
        case .any(let conditions): return append(conditions, as: Part.any)
        case .not(let condition):
            parts.append(Part.not)
            return append(condition)
        default: return false
        }
    }

    private mutating func append(_ conditions: [StorePredicate], as part: Int32) -> Bool {
        parts += [part, Int32(conditions.count)]
        return conditions.allSatisfy { append($0) }
    }

    private mutating func appendWindow(of request: FetchRequest) {
        guard request.limit != nil || request.offset > 0 else { return }
        parts.append(request.offset > 0 ? Part.offset : Part.limit)
        parameters.append(.integer(request.limit.map { Int64(max(0, $0)) } ?? -1))
        if request.offset > 0 { parameters.append(.integer(Int64(request.offset))) }
    }

    /// The numbers of the parts.
    private enum Part {
        static let comparison: Int32 = 0
        static let comparisonWithNull: Int32 = 1
        static let all: Int32 = 2
        static let any: Int32 = 3
        static let not: Int32 = 4
        static let ascending: Int32 = 5
        static let descending: Int32 = 6
        static let limit: Int32 = 7
        static let offset: Int32 = 8
    }
}

extension StorePredicate.Comparison {
    /// A number for each.
    fileprivate var number: Int32 {
        switch self {
        case .equal: 0
        case .notEqual: 1
        case .less: 2
        case .lessOrEqual: 3
        case .greater: 4
        case .greaterOrEqual: 5
        }
    }
}
