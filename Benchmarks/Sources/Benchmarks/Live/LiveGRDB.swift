import Dispatch
import GRDB
import Synchronization

/// GRDB's observation of the same rows.
final class LiveGRDB {
    private struct Row: FetchableRecord, PersistableRecord, Codable, Equatable, Sendable {
        static let databaseTableName = "user"
        var id: Int64
        var firstname: String
        var email: String
        var score: Double
    }

    private let pool: DatabasePool

    init(path: String, rows: Int) throws {
        pool = try DatabasePool(path: path)
        try pool.write { db in
            try db.create(table: "user") { table in
                table.primaryKey("id", .integer)
                table.column("firstname", .text).notNull()
                table.column("email", .text).notNull()
                table.column("score", .double).notNull()
            }
            for number in 1...rows {
                try Row(
                    id: Int64(number), firstname: "First \(number)", email: "\(number)@example.org",
                    score: 0
                ).insert(db)
            }
        }
    }

    func close() throws { try pool.close() }

    /// From the write of a row to its value, received on a queue of its own.
    func row(writes: Int) throws -> LiveTimes {
        var times = LiveTimes()
        let arrivals = LiveArrivals()
        let started = DispatchSemaphore(value: 0)
        let isFirst = Mutex(true)
        let observation = ValueObservation.trackingConstantRegion { try Row.fetchOne($0, key: 7) }
        let cancellable = observation.start(
            in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
            onError: { _ in started.signal() },
            onChange: { _ in
                let hasBegun = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return !isFirst
                }
                if hasBegun { arrivals.note() } else { started.signal() }
            })
        started.wait()
        for number in 1...writes {
            try times.measure(arrivals) {
                try pool.write { db in
                    try db.execute(
                        sql: "UPDATE user SET score = ? WHERE id = 7",
                        arguments: [Double(number) + 0.5])
                    arrivals.closureEnds()
                }
            }
        }
        cancellable.cancel()
        return times
    }

    /// The writer's time for a row, beside observers of other rows.
    func writes(_ writes: Int, besideObservers count: Int) throws -> LatencyRecord {
        var times = LatencyRecord()
        let queue = DispatchQueue(label: "values")
        let started = DispatchSemaphore(value: 0)
        let rows = try pool.read { try Row.fetchCount($0) }
        let cancellables = (0..<count).map { number in
            let id = Int64(1_000 + number % (rows - 1_000))
            return ValueObservation.trackingConstantRegion { try Row.fetchOne($0, key: id) }.start(
                in: pool, scheduling: .async(onQueue: queue), onError: { _ in started.signal() },
                onChange: { _ in started.signal() })
        }
        for _ in cancellables { started.wait() }
        for number in 1...writes {
            try times.measure {
                try pool.write { db in
                    try db.execute(
                        sql: "UPDATE user SET score = ? WHERE id = 7",
                        arguments: [Double(number) + 0.75])
                }
            }
        }
        for cancellable in cancellables { cancellable.cancel() }
        return times
    }
}
