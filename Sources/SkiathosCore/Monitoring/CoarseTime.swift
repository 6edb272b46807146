#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A moment to within a few milliseconds, which every read can afford to note: looking at the
/// exact clock costs several times as much.
struct CoarseTime: Sendable, Comparable {
    let nanoseconds: Int64

    /// This moment.
    static var now: CoarseTime {
        #if canImport(Darwin)
        CoarseTime(
            nanoseconds: Int64(clamping: clock_gettime_nsec_np(CLOCK_MONOTONIC_RAW_APPROX)))
        #else
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return CoarseTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
        #endif
    }

    static func < (left: CoarseTime, right: CoarseTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// How much later another moment is, in whole milliseconds.
    func duration(to other: CoarseTime) -> Duration {
        .milliseconds((other.nanoseconds - nanoseconds) / 1_000_000)
    }
}
