import Synchronization

/// Which rows of a shard commits have changed, and in which version at the latest.
///
/// Rows that share a mark count as changed together, so the answer may be a later version than the true
/// one, and never an earlier one. The shard owns the memory of the marks, and frees it with
/// ``removeAll()``.
@usableFromInline
struct RecentChanges {
    /// How many marks there are, a power of two.
    @usableFromInline static var markCount: Int { 64 }

    /// The version after the last change that may have been one of any row; the largest number before
    /// the changes are first asked for.
    @usableFromInline var all = UInt64.max
    /// The later versions after the last change of a row with each mark; `nil` before the first.
    @usableFromInline var marks: UnsafeMutablePointer<UInt64>?

    @usableFromInline init() {}

    /// The version since which the row with a hash has not changed.
    @inlinable @inline(__always)
    func last(at hash: Int) -> UInt64 {
        guard let marks else { return all }
        return max(all, marks[hash & (Self.markCount - 1)])
    }

    /// Begins to know the changes, if the caches have a version.
    ///
    /// - Parameter last: The last change of the entity, which may have been one of any row.
    @usableFromInline
    mutating func begin(after last: EntityChange, _ version: CachedVersion) {
        // A commit that has not found the cache has recorded its change before.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard version.number.load(ordering: .sequentiallyConsistent) != CachedVersion.none else {
            return
        }
        recordAll(in: last.version.load(ordering: .sequentiallyConsistent))
    }

    /// Records that a commit changes the row with a hash.
    ///
    /// - Parameter version: That after the commit.
    mutating func record(at hash: Int, in version: UInt64) {
        // Not known at all, then.
        guard all != .max else { return }
        let marks = marks ?? Self.allocate()
        self.marks = marks
        marks[hash & (Self.markCount - 1)] = version
    }

    /// Records that a commit may change any row.
    ///
    /// - Parameter version: That after the commit.
    mutating func recordAll(in version: UInt64) {
        removeAll()
        all = version
    }

    /// Forgets all changes, and frees the memory.
    @usableFromInline
    mutating func removeAll() {
        marks?.deallocate()
        marks = nil
        all = .max
    }

    private static func allocate() -> UnsafeMutablePointer<UInt64> {
        let marks = UnsafeMutablePointer<UInt64>.allocate(capacity: markCount)
        marks.initialize(repeating: 0, count: markCount)
        return marks
    }
}

/// The last commit that has changed rows of an entity, as far as is known.
@usableFromInline
final class EntityChange: Sendable {
    /// The version after it; 0 if there was none since the store was opened.
    ///
    /// Written by the thread that commits.
    let version = Atomic<UInt64>(0)
}
