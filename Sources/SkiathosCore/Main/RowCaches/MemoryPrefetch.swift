import CSkiathosThreads

/// Has the processor fetch some bytes and one other byte, which are soon written.
@usableFromInline
func prefetchForWrite(_ start: UnsafeRawPointer, count: Int, and other: UnsafeRawPointer) {
    skiathos_prefetch_for_write(start, count)
    skiathos_prefetch_for_write(other, 1)
}

/// Has the processor fetch some bytes, which are soon read.
@usableFromInline
func prefetch(_ start: UnsafeRawPointer, count: Int) { skiathos_prefetch(start, count) }
