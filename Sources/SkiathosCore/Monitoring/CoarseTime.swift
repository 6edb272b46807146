import SkiathosPlatformLibC

/// A moment to within a few milliseconds, which every read can afford to record: reading the
/// exact clock costs several times as much.
struct CoarseTime: Sendable, Comparable {
    let nanoseconds: Int64

    /// The current time.
    static var now: CoarseTime { CoarseTime(nanoseconds: coarseNanoseconds()) }

    static func < (left: CoarseTime, right: CoarseTime) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// How much later another moment is, in whole milliseconds.
    func duration(to other: CoarseTime) -> Duration {
        .milliseconds((other.nanoseconds - nanoseconds) / 1_000_000)
    }
}
