public import Synchronization

/// The version of the store that the cached rows belong to.
@usableFromInline
final class CachedVersion: Sendable {
    /// The number that stands for no version.
    @usableFromInline static var none: UInt64 { .max }

    /// Written by the thread that commits.
    @usableFromInline let number = Atomic(CachedVersion.none)

    init() {}

    /// Whether the rows belong to a version, until the next commit.
    @inlinable @inline(__always)
    func isCurrent(_ version: UInt64) -> Bool { number.load(ordering: .acquiring) == version }
}
