/// A set of columns of one entity, by position.
@frozen
public struct ColumnSet: Sendable, Hashable, SetAlgebra, Sequence {
    /// The number of columns that an entity may have, its ID included.
    @inlinable public static var capacity: Int { 64 }

    /// One bit for each position.
    public var bits: UInt64

    /// Makes a set from its bits.
    @inlinable public init(bits: UInt64) { self.bits = bits }
    /// Makes an empty set.
    @inlinable public init() { bits = 0 }
    /// All columns from the first up to a count.
    @inlinable public init(first count: Int) {
        bits = count >= 64 ? .max : (1 << UInt64(count)) - 1
    }

    /// All columns that an entity may have.
    package static var all: ColumnSet { ColumnSet(bits: .max) }

    /// Adds the column at a position, from 0 to ``capacity`` − 1, if the condition holds.
    @inlinable public mutating func insert(_ column: Int, if condition: Bool) {
        if condition { bits |= 1 << UInt64(column) }
    }

    /// Whether no column is in the set.
    @inlinable public var isEmpty: Bool { bits == 0 }
    /// The number of columns in the set.
    @inlinable public var count: Int { bits.nonzeroBitCount }
    /// Whether the column at a position is in the set.
    @inlinable public func contains(_ column: Int) -> Bool { bits & (1 << UInt64(column)) != 0 }

    /// Adds a column.
    @discardableResult
    @inlinable public mutating func insert(
        _ column: Int
    ) -> (inserted: Bool, memberAfterInsert: Int) {
        defer { bits |= 1 << UInt64(column) }
        return (!contains(column), column)
    }
    /// Removes a column.
    @discardableResult
    @inlinable public mutating func remove(_ column: Int) -> Int? {
        defer { bits &= ~(1 << UInt64(column)) }
        return contains(column) ? column : nil
    }
    /// Adds a column and returns it if it was there already.
    @discardableResult
    @inlinable public mutating func update(with column: Int) -> Int? {
        insert(column).inserted ? nil : column
    }
    /// The columns of either set.
    @inlinable public func union(_ other: ColumnSet) -> ColumnSet { .init(bits: bits | other.bits) }
    /// The columns of both sets.
    @inlinable public func intersection(_ other: ColumnSet) -> ColumnSet {
        .init(bits: bits & other.bits)
    }
    /// The columns of just one of the sets.
    @inlinable public func symmetricDifference(_ other: ColumnSet) -> ColumnSet {
        .init(bits: bits ^ other.bits)
    }
    /// Adds the columns of another set.
    @inlinable public mutating func formUnion(_ other: ColumnSet) { bits |= other.bits }
    /// Keeps the columns that are in another set too.
    @inlinable public mutating func formIntersection(_ other: ColumnSet) { bits &= other.bits }
    /// Keeps the columns that are in just one of the sets.
    @inlinable public mutating func formSymmetricDifference(_ other: ColumnSet) {
        bits ^= other.bits
    }

    /// Iterates over the positions in ascending order.
    @inlinable public func makeIterator() -> Iterator { Iterator(bits: bits) }

    /// Iterates over the positions of a set in ascending order.
    @frozen
    public struct Iterator: IteratorProtocol {
        @usableFromInline var bits: UInt64
        @inlinable init(bits: UInt64) { self.bits = bits }
        /// The next position.
        @inlinable public mutating func next() -> Int? {
            guard bits != 0 else { return nil }
            defer { bits &= bits - 1 }
            return bits.trailingZeroBitCount
        }
    }
}
