import SkiathosStore

/// A range that a column can be compared with: any of Swift's own.
public protocol ColumnRange<Bound> {
    /// The type of the bounds.
    associatedtype Bound: Comparable
    /// The smallest value, if there is one.
    var smallest: Bound? { get }
    /// The largest value and whether it belongs to the range, if there is one.
    var largest: (bound: Bound, isIncluded: Bool)? { get }
}

extension ColumnRange {
    func condition<E: Entity>(
        _ compare: (StorePredicate.Comparison, Bound) -> Condition<E>
    ) -> Condition<E> {
        let lower = smallest.map { compare(.greaterOrEqual, $0) }
        let upper = largest.map { compare($0.isIncluded ? .lessOrEqual : .less, $0.bound) }
        return switch (lower, upper) {
        case (let lower?, let upper?): lower && upper
        case (let bound?, nil), (nil, let bound?): bound
        case (nil, nil): .always
        }
    }
}

extension Range: ColumnRange {
    /// The lower bound.
    public var smallest: Bound? { lowerBound }
    /// The upper bound, which does not belong to the range.
    public var largest: (bound: Bound, isIncluded: Bool)? { (upperBound, false) }
}

extension ClosedRange: ColumnRange {
    /// The lower bound.
    public var smallest: Bound? { lowerBound }
    /// The upper bound, which belongs to the range.
    public var largest: (bound: Bound, isIncluded: Bool)? { (upperBound, true) }
}

extension PartialRangeFrom: ColumnRange {
    /// The lower bound.
    public var smallest: Bound? { lowerBound }
    /// `nil`.
    public var largest: (bound: Bound, isIncluded: Bool)? { nil }
}

extension PartialRangeUpTo: ColumnRange {
    /// `nil`.
    public var smallest: Bound? { nil }
    /// The upper bound, which does not belong to the range.
    public var largest: (bound: Bound, isIncluded: Bool)? { (upperBound, false) }
}

extension PartialRangeThrough: ColumnRange {
    /// `nil`.
    public var smallest: Bound? { nil }
    /// The upper bound, which belongs to the range.
    public var largest: (bound: Bound, isIncluded: Bool)? { (upperBound, true) }
}
