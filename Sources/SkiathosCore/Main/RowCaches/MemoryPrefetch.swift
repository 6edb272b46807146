import CSkiathosThreads

/// Prefetches the cache lines of a range of memory, and that of one other byte, for writing.
@usableFromInline
func prefetchForWrite(_ start: UnsafeRawPointer, count: Int, and other: UnsafeRawPointer) {
    skiathos_prefetch_for_write(start, count)
    skiathos_prefetch_for_write(other, 1)
}

/// Prefetches the cache lines of a range of memory for reading.
@usableFromInline
func prefetch(_ start: UnsafeRawPointer, count: Int) { skiathos_prefetch(start, count) }
