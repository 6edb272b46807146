public import Synchronization

/// The version of the store that the rows in caches are of.
@usableFromInline
final class CachedVersion: Sendable {
    /// The number of no version.
    @usableFromInline static var none: UInt64 { .max }

    /// Written by whoever commits.
    @usableFromInline let number = Atomic(CachedVersion.none)

    init() {}

    /// Whether the rows are of a version, until somebody commits.
    @inlinable @inline(__always)
    func isCurrent(_ version: UInt64) -> Bool { number.load(ordering: .acquiring) == version }
}
