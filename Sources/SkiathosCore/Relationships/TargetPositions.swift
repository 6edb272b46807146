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

    /// The position of a key, or `nil` if none was set.
    @inlinable @inline(__always)
    subscript(key: Key) -> Int? {
        if let entry = Self.entry(key, after: first, of: table.count),
            table[entry] != Self.unknown
        {
            return Int(table[entry])
        }
        return others.isEmpty ? nil : others[key.identity]
    }

    /// The place of a key in a table of some entries, if it has one.
    @inlinable @inline(__always)
    static func entry(_ key: Key, after first: Int64, of count: Int) -> Int? {
        guard let number = key.pageNumber else { return nil }
        // As an unsigned number, also the distance from a larger one is too large.
        let entry = UInt64(bitPattern: number &- first)
        return entry < UInt64(count) ? Int(truncatingIfNeeded: entry) : nil
    }

    /// The positions while several are set.
    @usableFromInline
    struct Entries {
        @usableFromInline let first: Int64
        /// Valid while the closure runs that was given the entries.
        @usableFromInline var table = UnsafeMutableBufferPointer<Int32>(start: nil, count: 0)
        @usableFromInline var others: [Key.Identity: Int] = [:]

        @inlinable
        init(first: Int64) { self.first = first }

        /// Sets the position of a key, unless it has one; returns whether it had none.
        @inlinable @inline(__always)
        mutating func add(_ key: Key, at position: Int) -> Bool {
            if let entry = entry(key, position) {
                guard table[entry] == unknown else { return false }
                table[entry] = Int32(truncatingIfNeeded: position)
            } else {
                guard others[key.identity] == nil else { return false }
                others[key.identity] = position
            }
            return true
        }

        /// Sets the position of a key.
        @inlinable @inline(__always)
        mutating func set(_ key: Key, to position: Int) {
            if let entry = entry(key, position) {
                table[entry] = Int32(truncatingIfNeeded: position)
            } else {
                others[key.identity] = position
            }
        }

        /// The place of a key in the table, if it has one there that can hold a position.
        @inlinable @inline(__always)
        func entry(_ key: Key, _ position: Int) -> Int? {
            position < Int32.max ? TargetPositions.entry(key, after: first, of: table.count) : nil
        }

        @inlinable var unknown: Int32 { TargetPositions.unknown }
    }

    /// Lets positions be set, in place.
    @inlinable
    mutating func update<R>(_ body: (inout Entries) -> R) -> R {
        var entries = Entries(first: first)
        // Moved, not copied: the closure cannot change the dictionary of a table that is lent.
        swap(&entries.others, &others)
        defer { swap(&entries.others, &others) }
        return table.withUnsafeMutableBufferPointer { table in
            entries.table = table
            return body(&entries)
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
