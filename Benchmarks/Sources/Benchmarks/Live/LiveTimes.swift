import Dispatch
import Synchronization

/// Where a write tells that its closure has ended, and the loops of observers that a value has come.
final class LiveArrivals: Sendable {
    private let values = DispatchSemaphore(value: 0)
    private let latest = Atomic<UInt64>(0)
    private let end = Atomic<UInt64>(0)

    /// The closure of the write does nothing after this call.
    func closureEnds() { end.store(LiveTimes.now, ordering: .sequentiallyConsistent) }

    /// A loop has got a value.
    func note() {
        latest.max(LiveTimes.now, ordering: .sequentiallyConsistent)
        values.signal()
    }

    /// Waits for so many values, and returns the nanoseconds from the end of the closure until the last
    /// of them was in its loop.
    fileprivate func wait(for count: Int) -> UInt64 {
        for _ in 0..<count { values.wait() }
        let arrival = latest.load(ordering: .sequentiallyConsistent)
        let end = end.load(ordering: .sequentiallyConsistent)
        return arrival > end ? arrival - end : 0
    }
}

/// The times from writes to their values.
struct LiveTimes: Sendable {
    /// From the call of the write until its thread, which waits, has been woken.
    private(set) var call = LatencyRecord()
    /// From the end of the write's closure to the value in the loop; the commit lies between the two.
    private(set) var commit = LatencyRecord()

    /// In nanoseconds.
    fileprivate static var now: UInt64 { DispatchTime.now().uptimeNanoseconds }

    /// Measures a write.
    ///
    /// - Parameters:
    ///   - count: How many values it leads to.
    ///   - write: The write, whose closure calls ``LiveArrivals/closureEnds()``.
    mutating func measure(
        _ arrivals: LiveArrivals, values count: Int = 1, _ write: () throws -> Void
    ) rethrows {
        let start = Self.now
        try write()
        let afterClosure = arrivals.wait(for: count)
        call.add(nanoseconds: Self.now - start)
        commit.add(nanoseconds: afterClosure)
    }

    func lines(_ name: String, _ remark: String = "") -> [LiveLine] {
        let prefix = remark.isEmpty ? "" : "\(remark), "
        return [
            LiveLine(name, "\(prefix)from the call", call),
            LiveLine(name, "\(prefix)from the end of the closure to the loop", commit),
        ]
    }
}
