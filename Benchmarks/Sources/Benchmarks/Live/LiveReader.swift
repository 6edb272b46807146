import Dispatch
import Foundation
import Skiathos
import Synchronization

/// A store that is open for reading only, beside the process that writes it.
final class LiveReader {
    private let dal: DataAccessLayer
    private let interval: Duration

    /// - Parameter interval: How often it looks for commits of that process, where it has to.
    init(path: String, every interval: Duration) throws {
        var configuration = Configuration()
        configuration.isReadOnly = true
        configuration.commitWatchInterval = interval
        self.interval = interval
        dal = try DataAccessLayer(
            .sqlite(path), entities: User.self, Company.self, configuration: configuration)
    }

    func close() { try? dal.close() }

    /// From the call of a write in the other process to its value in the loop that observes the row.
    ///
    /// - Parameter afterPause: Whether each write comes some intervals after the value of the last one;
    ///   else within the interval.
    func row(
        writes: Int, by peer: WritingPeer, afterPause: Bool = false
    ) throws -> LatencyRecord {
        var times = LatencyRecord()
        try observing { arrival in
            let span = UInt64(interval / .nanoseconds(1))
            let spans = afterPause ? span..<(3 * span) : 0..<span
            for _ in 0..<writes {
                // At any moment between two looks, not right after one.
                usleep(UInt32(UInt64.random(in: spans) / 1_000))
                try peer.write()
                let end = arrival()
                let start = try peer.answer()
                times.add(nanoseconds: end - min(start, end))
            }
        }
        return times
    }

    /// The share of one processor that the process takes while it looks for commits, and none comes.
    func idleShare(seconds: Double) throws -> Double {
        var share = 0.0
        try observing { _ in
            let (start, used) = (ContinuousClock.now, Self.processorTime)
            usleep(UInt32(seconds * 1e6))
            let elapsed = (ContinuousClock.now - start) / .seconds(1)
            share = (Self.processorTime - used) / elapsed
        }
        return share
    }

    /// Runs a closure while a row is observed, with a function that waits for its next value and
    /// returns the moment of its arrival.
    private func observing(_ body: (() -> UInt64) throws -> Void) throws {
        let arrived = DispatchSemaphore(value: 0)
        let moments = Moments()
        let task = Task.detached { [dal] in
            for try await _ in dal.observe(User.ID(rawValue: 7)) {
                moments.last.store(WritingPeer.now, ordering: .releasing)
                arrived.signal()
            }
        }
        arrived.wait()
        defer { task.cancel() }
        try body {
            arrived.wait()
            return moments.last.load(ordering: .acquiring)
        }
    }

    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }
}

private final class Moments: Sendable {
    let last = Atomic<UInt64>(0)
}
