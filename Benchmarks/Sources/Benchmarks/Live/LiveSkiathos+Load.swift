import Dispatch
import Foundation
import Skiathos
import Synchronization

extension LiveSkiathos {
    /// From the write of a row to its value, beside observers of conditions that no index can decide,
    /// and how often these have read: where a column changes on which none depends, and where one does
    /// on which a third of them depend.
    func undecided(
        writes: Int, observers: Int
    ) throws -> (
        write: LatencyRecord, value: LiveTimes, textValue: LiveTimes, reads: Int
    ) {
        let reads = LiveCounter()
        let sequences = (0..<observers).map { number in
            dal.observe { context -> Int in
                reads.add()
                return switch number % 3 {
                case 0:
                    try User.count(where: { $0.email.contains("#\(number)#") }, in: context)
                case 1:
                    try User.count(where: { $0.lastname.hasSuffix("#\(number)") }, in: context)
                default:
                    try User.count(
                        where: { $0.firstname.contains("#\(number)") || $0.age > 1_000 + number },
                        in: context)
                }
            }
        }
        var write = LatencyRecord()
        var value = LiveTimes()
        var textValue = LiveTimes()
        var count = 0
        try observing(sequences, { _, _ in }) {
            let before = reads.count
            // In this order: the other writes do not wait until observers were notified.
            value = try self.row(writes: writes)
            textValue = try self.row(writes: writes, changesText: true)
            write = try self.writes(writes, besideObservers: 0)
            count = reads.count - before
        }
        return (write, value, textValue, count)
    }

    /// What a load of so many writes a second costs and delivers.
    struct Load {
        /// The times of the calls of `write`.
        var write = LatencyRecord()
        /// From the call of a write to its value in the loop that observes the row.
        var value = LatencyRecord()
        /// The bytes of the heap in use after a tenth of the time, and at the end.
        var heap = (early: 0, late: 0)
    }

    /// Writes at a steady pace to rows that are observed, each by one observer of its own.
    ///
    /// - Parameters:
    ///   - observers: How many rows are observed; without any, the writes alone are timed.
    ///   - rate: How many writes there are in a second.
    ///   - seconds: For how long.
    func load(observers: Int, rate: Int, seconds: Int) throws -> Load {
        let arrived = DispatchSemaphore(value: 0)
        let sequences = (0..<observers).map { dal.observe(User.ID(rawValue: Int64($0 + 1))) }
        var load = Load()
        // Another one than a run without observers has left in the rows.
        let fraction = observers > 0 ? 0.125 : 0.375
        try observing(sequences, { _, _ in arrived.signal() }) {
            let step = Duration.seconds(1) / rate
            let (start, total) = (ContinuousClock.now, rate * seconds)
            for number in 0..<total {
                let due = start + step * number
                let rest = ContinuousClock.now.duration(to: due) / .microseconds(1)
                if rest > 0 { usleep(UInt32(rest)) }
                let row = number * 7_919 % max(observers, 10_000) + 1
                let id = User.ID(rawValue: Int64(row))
                let called = ContinuousClock.now
                try load.write.measure {
                    try dal.write { try User.find(id, in: $0)?.score = Double(number) + fraction }
                }
                if observers > 0 {
                    arrived.wait()
                    load.value.add(
                        nanoseconds: UInt64(called.duration(to: .now) / .nanoseconds(1)))
                }
                if number == total / 10 { load.heap.early = HeapProbe.bytesInUse }
            }
            load.heap.late = HeapProbe.bytesInUse
        }
        return load
    }
}

/// A number that any thread adds to.
final class LiveCounter: Sendable {
    private let value = Atomic<Int>(0)

    var count: Int { value.load(ordering: .relaxed) }

    func add() { value.wrappingAdd(1, ordering: .relaxed) }
}
