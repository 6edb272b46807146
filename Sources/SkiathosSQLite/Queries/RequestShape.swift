import SkiathosStore

/// A request without its values, for requests whose SQL is the same whatever these are: the key
/// under which a connection keeps the compiled statement.
///
/// Most requests consist of conditions that compare columns with values, and sort keys that
/// are columns. Writing their SQL costs as much as fetching two rows. Other requests have no
/// shape, since their SQL may depend on the values.
struct RequestShape: Hashable {
    /// The kind of the request.
    enum Purpose: Int {
        case select
        case count
        case exists
    }

    // The parts in their order, 16 bits each: the first 16 in place, so that making the shape of
    // an ordinary request allocates nothing.
    private var first: UInt64 = 0
    private var second: UInt64 = 0
    private var third: UInt64 = 0
    private var fourth: UInt64 = 0
    private var count = 0
    private var rest: [UInt16] = []

    /// The shape of a request, if it has one.
    init?(_ request: FetchRequest, for purpose: Purpose) {
        guard append(.init(truncatingIfNeeded: purpose.rawValue), request.entity) else {
            return nil
        }
        if let predicate = request.predicate {
            guard append(predicate) else { return nil }
        }
        for key in request.order {
            guard purpose == .select else {
                // A misplaced aggregate is refused where the SQL is written.
                guard AggregateRules.isAboutRow(key.expression) else { return nil }
                continue
            }
            guard case .column(let column) = key.expression,
                append(key.descending ? Part.descending : Part.ascending, column)
            else { return nil }
        }
        guard request.limit != nil || request.offset > 0 else { return }
        _ = append(request.offset > 0 ? Part.offset : Part.limit, 0)
    }

    /// A number that is mostly different for another shape.
    var mark: Int {
        let mixed = (first ^ second &* 3 ^ third &* 5 ^ fourth &* 7) &* 0x9E37_79B9_7F4A_7C15
        return Int(truncatingIfNeeded: mixed >> 32)
    }

    private mutating func append(_ predicate: StorePredicate) -> Bool {
        switch predicate {
        case .comparison(.column(let column), let comparison, .value(let value)):
            if case .null = value { return append(Part.null + comparison.number, column) }
            return append(Part.value + comparison.number, column)
        case .all(let conditions): return append(conditions, as: Part.all)
        case .any(let conditions): return append(conditions, as: Part.any)
        case .not(let condition): return append(Part.not, 0) && append(condition)
        default: return false
        }
    }

    private mutating func append(_ conditions: [StorePredicate], as part: UInt16) -> Bool {
        append(part, conditions.count) && conditions.allSatisfy { append($0) }
    }

    /// Appends the kind of a part, below 32, and a number; `false` if the number is too large.
    @inline(__always)
    private mutating func append(_ part: UInt16, _ number: Int) -> Bool {
        guard number >= 0, number < 1 << 11 else { return false }
        let bits = part << 11 | UInt16(truncatingIfNeeded: number)
        let moved = UInt64(bits) << UInt64(16 * (count & 3))
        switch count >> 2 {
        case 0: first |= moved
        case 1: second |= moved
        case 2: third |= moved
        case 3: fourth |= moved
        default: rest.append(bits)
        }
        count += 1
        return true
    }

    /// The kinds of the parts; those of comparisons are followed by one for each comparison.
    private enum Part {
        static let all: UInt16 = 3
        static let any: UInt16 = 4
        static let not: UInt16 = 5
        static let ascending: UInt16 = 6
        static let descending: UInt16 = 7
        static let limit: UInt16 = 8
        static let offset: UInt16 = 9
        static let value: UInt16 = 16
        static let null: UInt16 = 24
    }
}

extension FetchRequest {
    /// Calls a closure with the values of a request that has a shape, in the order of the
    /// statement's parameters.
    func forEachParameter(_ body: (StoreValue) throws -> Void) rethrows {
        if let predicate { try predicate.forEachValue(body) }
        guard limit != nil || offset > 0 else { return }
        try body(.integer(limit.map { Int64(max(0, $0)) } ?? -1))
        if offset > 0 { try body(.integer(Int64(offset))) }
    }
}

extension StorePredicate {
    fileprivate func forEachValue(_ body: (StoreValue) throws -> Void) rethrows {
        switch self {
        case .comparison(_, _, .value(let value)): try body(value)
        case .all(let conditions), .any(let conditions):
            for condition in conditions { try condition.forEachValue(body) }
        case .not(let condition): try condition.forEachValue(body)
        default: break
        }
    }
}

extension StorePredicate.Comparison {
    /// A number for each.
    fileprivate var number: UInt16 {
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
