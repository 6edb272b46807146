import SkiathosStore

/// A long list of conditions, all of which or any of which are true, that grows at both ends.
///
/// A list of `n` parts is copied for each part that is joined to it, so it is kept short: as soon as 32 of
/// the same kind stand at an end they become one part, 32 of those become one, and so on, as the digits of a
/// number do. The list has some hundred parts at the most, and the depth of a part grows with the logarithm.
/// In the middle stays what the list began with.
struct PartList {
    /// How many parts were joined at each end.
    struct Ends: Sendable {
        var prepended: Int32 = 0
        var appended: Int32 = 0
    }

    private static let base: Int32 = 32

    private var parts: [StorePredicate]
    private let isAll: Bool
    private(set) var ends = Ends()
    /// How many parts stand inside of each other, the list included.
    private(set) var depth: Int32

    /// Begins a list with one part.
    init(_ part: StorePredicate, _ extent: Extent, isAll: Bool) {
        parts = [part]
        self.isAll = isAll
        depth = extent.depth + 1
    }

    /// Goes on with a list of the same kind; `nil` if the condition is none.
    init?(_ condition: BuiltCondition, isAll: Bool) {
        guard let ends = condition.ends else { return nil }
        switch (condition.predicate, isAll) {
        case (.success(.all(let parts)), true), (.success(.any(let parts)), false):
            self.parts = parts
        default: return nil
        }
        self.isAll = isAll
        self.ends = ends
        depth = condition.extent.depth
    }

    /// The list as a condition.
    var predicate: StorePredicate { group(parts) }

    /// Joins a part at the end.
    mutating func append(_ part: StorePredicate, _ extent: Extent) {
        parts.append(part)
        var count = grow(\.appended, extent)
        while count % Self.base == 0 {
            let last = Array(parts.suffix(Int(Self.base)))
            parts.removeLast(last.count)
            parts.append(group(last))
            count /= Self.base
        }
    }

    /// Joins a part at the beginning.
    mutating func prepend(_ part: StorePredicate, _ extent: Extent) {
        parts.insert(part, at: 0)
        var count = grow(\.prepended, extent)
        while count % Self.base == 0 {
            let first = Array(parts.prefix(Int(Self.base)))
            parts.replaceSubrange(0..<first.count, with: CollectionOfOne(group(first)))
            count /= Self.base
        }
    }

    /// Counts one more part at an end, and how deep that makes the list; returns the number of parts there.
    private mutating func grow(_ end: WritableKeyPath<Ends, Int32>, _ extent: Extent) -> Int32 {
        let before = Self.levels(ends[keyPath: end])
        ends[keyPath: end] += 1
        let after = Self.levels(ends[keyPath: end])
        depth = max(depth + after - before, extent.depth + 1 + after)
        return ends[keyPath: end]
    }

    private static func levels(_ count: Int32) -> Int32 {
        var (rest, levels) = (count / base, Int32(0))
        while rest > 0 { (rest, levels) = (rest / base, levels + 1) }
        return levels
    }

    private func group(_ parts: [StorePredicate]) -> StorePredicate {
        isAll ? .all(parts) : .any(parts)
    }
}
