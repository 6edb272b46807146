/// Positions of rows by ID: integers that lie close together in a table, the others in a
/// dictionary.
@usableFromInline
struct TargetPositions<Key: EntityKey> {
    /// The number of the first entry of the table.
    @usableFromInline var first: Int64 = 0
    /// The positions of neighbouring numbers; ``unknown`` for those that were not set.
    @usableFromInline var table: [Int32] = []
    /// The positions of all other keys.
    @usableFromInline var others: [Key.Identity: Int] = [:]

    @inlinable init() {}

    /// The entry of a number without a position.
    @inlinable static var unknown: Int32 { .min }

    @inlinable var isEmpty: Bool { table.isEmpty && others.isEmpty }

    /// The place of a key in the table, if it has one.
    @inlinable @inline(__always)
    func entry(_ key: Key) -> Int? {
        guard let number = key.pageNumber else { return nil }
        // As an unsigned number, also the distance from a larger one is too large.
        let entry = UInt64(bitPattern: number &- first)
        return entry < UInt64(table.count) ? Int(truncatingIfNeeded: entry) : nil
    }

    /// The position of a key, or `nil` if none was set.
    @inlinable
    subscript(key: Key) -> Int? {
        get {
            if let entry = entry(key), table[entry] != Self.unknown { return Int(table[entry]) }
            return others.isEmpty ? nil : others[key.identity]
        }
        set {
            guard let newValue else { return }
            if let entry = entry(key), let position = Int32(exactly: newValue) {
                table[entry] = position
            } else {
                others[key.identity] = newValue
            }
        }
    }

    /// Gives the keys a table, if they are numbers that lie close enough together.
    ///
    /// Call only before a position is set.
    @inlinable
    mutating func prepare(for keys: [Key]) {
        guard var lowest = keys.first?.pageNumber else {
            return others.reserveCapacity(keys.count)
        }
        var highest = lowest
        for key in keys {
            guard let number = key.pageNumber else { return }
            lowest = min(lowest, number)
            highest = max(highest, number)
        }
        let (distance, isTooLong) = highest.subtractingReportingOverflow(lowest)
        // No more memory than a dictionary would take.
        guard !isTooLong, distance < 8 * Int64(keys.count), distance < Int64(Int32.max) else {
            return others.reserveCapacity(keys.count)
        }
        first = lowest
        table = Array(repeating: Self.unknown, count: Int(distance) + 1)
    }
}
