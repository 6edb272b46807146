import BenchmarkReports
import Histogram
import Synchronization

/// The times of single calls.
struct LatencyRecord: Sendable {
    private static let percentiles = [50, 90, 99, 99.9]

    // In nanoseconds, up to a minute.
    private var histogram = Histogram<UInt64>(
        highestTrackableValue: 60_000_000_000, numberOfSignificantValueDigits: .three)

    mutating func measure(_ body: () throws -> Void) rethrows {
        let start = ContinuousClock.now
        try body()
        add(nanoseconds: UInt64((ContinuousClock.now - start) / .nanoseconds(1)))
    }

    mutating func add(nanoseconds: UInt64) { _ = histogram.record(max(nanoseconds, 1)) }

    mutating func add(_ other: LatencyRecord) { histogram.add(other.histogram) }

    /// The time in seconds that so many percent of the calls took at the most.
    func seconds(_ percent: Double) -> Double {
        Double(histogram.valueAtPercentile(percent)) * 1e-9
    }

    /// How many there are, their percentiles, and the longest.
    var cells: [String] {
        func text(_ nanoseconds: UInt64) -> String { Format.seconds(Double(nanoseconds) * 1e-9) }
        return [Format.count(Int(histogram.totalCount))]
            + Self.percentiles.map { text(histogram.valueAtPercentile($0)) }
            + [text(histogram.maxRecorded)]
    }
}

/// Four threads that read beside one that writes, and the times of each call.
final class LatencyLoad: Sendable {
    private let contestant: any Contestant
    private let rows: Int
    private let duration: Duration
    private let records = Mutex((reads: LatencyRecord(), writes: LatencyRecord()))

    init(_ contestant: any Contestant, rows: Int, seconds: Double) {
        self.contestant = contestant
        self.rows = rows
        duration = .seconds(seconds)
    }

    var reads: LatencyRecord { records.withLock { $0.reads } }
    var writes: LatencyRecord { records.withLock { $0.writes } }

    func run() throws {
        try contestant.promise(.committed)
        let end = ContinuousClock.now + duration
        try Crew.threads(5) { number in
            var times = LatencyRecord()
            var count = 0
            let ids = Input.walk(10_000, through: self.rows, seed: UInt64(number))
            while ContinuousClock.now < end {
                count += 1
                if number == 0 {
                    let user = User(number: Int64(self.rows + count))
                    try times.measure { try self.contestant.insertAlone(user, .committed) }
                } else {
                    let id = ids[count % ids.count]
                    try times.measure { _ = try self.contestant.read(id, as: number - 1) }
                }
            }
            self.records.withLock { records in
                if number == 0 { records.writes.add(times) } else { records.reads.add(times) }
            }
        }
    }
}
