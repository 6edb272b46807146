import CSkiathosThreads

/// Prefetches the cache lines of a range of memory.
@usableFromInline
func prefetch(_ start: UnsafeRawPointer, count: Int) { skiathos_prefetch(start, count) }

/// Prefetches the cache lines of a range of memory, and that of one other byte.
@usableFromInline
func prefetch(_ start: UnsafeRawPointer, count: Int, and other: UnsafeRawPointer) {
    skiathos_prefetch(start, count)
    skiathos_prefetch(other, 1)
}
