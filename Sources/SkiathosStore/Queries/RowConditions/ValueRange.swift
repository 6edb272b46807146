/// The values between two bounds, of one storage class; never `null`.
package struct ValueRange: Sendable {
    /// One end of a range.
    package struct Bound: Sendable {
        package var value: StoreValue
        package var isInclusive: Bool

        package init(_ value: StoreValue, isInclusive: Bool) {
            self.value = value
            self.isInclusive = isInclusive
        }
    }

    /// The lower bound; without one, all values from the smallest on.
    package var from: Bound?
    /// The upper bound; without one, all values up to the greatest.
    package var to: Bound?

    package init(from: Bound?, to: Bound?) {
        self.from = from
        self.to = to
    }

    /// The values that a comparison with a value allows; `nil` if these are no range.
    init?(_ comparison: StorePredicate.Comparison, _ value: StoreValue) {
        guard value != .null else { return nil }
        switch comparison {
        case .less: self.init(from: nil, to: Bound(value, isInclusive: false))
        case .lessOrEqual: self.init(from: nil, to: Bound(value, isInclusive: true))
        case .greater: self.init(from: Bound(value, isInclusive: false), to: nil)
        case .greaterOrEqual: self.init(from: Bound(value, isInclusive: true), to: nil)
        case .equal, .notEqual: return nil
        }
    }

    /// The values in both ranges.
    func intersection(_ other: ValueRange) -> ValueRange {
        var result = self
        if let bound = other.from {
            if let own = from {
                let order = own.value.order(bound.value)
                if order < 0 || order == 0 && !bound.isInclusive { result.from = bound }
            } else {
                result.from = bound
            }
        }
        if let bound = other.to {
            if let own = to {
                let order = own.value.order(bound.value)
                if order > 0 || order == 0 && !bound.isInclusive { result.to = bound }
            } else {
                result.to = bound
            }
        }
        return result
    }

    /// Whether a value lies in the range.
    package func contains(_ value: StoreValue) -> Bool {
        guard value != .null else { return false }
        if let from {
            let order = value.order(from.value)
            if order < 0 || order == 0 && !from.isInclusive { return false }
        }
        return isBelowEnd(value)
    }

    /// Whether a value is not above the upper bound.
    func isBelowEnd(_ value: StoreValue) -> Bool {
        guard let to else { return true }
        let order = value.order(to.value)
        return order < 0 || order == 0 && to.isInclusive
    }
}

extension StoreValue {
    /// The order of SQLite: no value, numbers, texts by their bytes, bytes.
    ///
    /// - Returns: a negative number, 0 or a positive number, if this comes before the other, at the
    ///   same place or after it.
    package func order(_ other: StoreValue) -> Int {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): Self.order(left, right)
        case (.real(let left), .real(let right)): Self.order(left, right)
        case (.integer(let left), .real(let right)): -Self.order(right, left)
        case (.real(let left), .integer(let right)): Self.order(left, right)
        case (.text(let left), .text(let right)): Self.order(StoredText(left), StoredText(right))
        case (.blob(let left), .blob(let right)):
            left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
        default: rank - other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> Int {
        left < right ? -1 : left == right ? 0 : 1
    }

    /// Compares without rounding the integer, as SQLite does.
    private static func order(_ left: Double, _ right: Int64) -> Int {
        if left < -0x1p63 { return -1 }
        if left >= 0x1p63 { return 1 }
        let whole = Int64(left)
        if whole != right { return whole < right ? -1 : 1 }
        return order(left, Double(whole))
    }
}
