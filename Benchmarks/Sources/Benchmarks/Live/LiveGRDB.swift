import Dispatch
import GRDB

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
    func row(writes: Int) throws -> LatencyRecord {
        var times = LatencyRecord()
        let arrived = DispatchSemaphore(value: 0)
        let observation = ValueObservation.trackingConstantRegion { try Row.fetchOne($0, key: 7) }
        let cancellable = observation.start(
            in: pool, scheduling: .async(onQueue: DispatchQueue(label: "values")),
            onError: { _ in arrived.signal() }, onChange: { _ in arrived.signal() })
        arrived.wait()
        for number in 1...writes {
            try times.measure {
                try pool.write { db in
                    try db.execute(
                        sql: "UPDATE user SET score = ? WHERE id = 7",
                        arguments: [Double(number) + 0.5])
                }
                arrived.wait()
            }
        }
        cancellable.cancel()
        return times
    }
}
