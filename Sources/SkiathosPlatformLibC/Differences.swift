#if canImport(Darwin)
/// The nanoseconds since some moment, to within a few milliseconds.
///
/// The exact clock costs several times as much.
@inlinable package func coarseNanoseconds() -> Int64 {
    Int64(clamping: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW_APPROX))
}

extension stat {
    /// When the content of the file was last changed.
    package var modificationTime: timespec { st_mtimespec }
}
#else
/// The nanoseconds since some moment, to within a few milliseconds.
///
/// The exact clock costs several times as much.
@inlinable package func coarseNanoseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
}

extension stat {
    /// When the content of the file was last changed.
    package var modificationTime: timespec { st_mtim }
}
#endif
