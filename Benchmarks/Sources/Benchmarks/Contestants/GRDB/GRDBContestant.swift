import GRDB

/// GRDB with a pool of connections, its query interface, and one of two ways to write a record.
final class GRDBContestant<Record: GRDBUser>: Contestant {
    static var name: String { Record.self == FastUser.self ? "GRDB" : "GRDB Codable" }

    let pool: DatabasePool

    init(path: String, options: ContestantOptions) throws {
        var configuration = GRDB.Configuration()
        if let cacheSize = options.cacheSize {
            configuration.prepareDatabase {
                try $0.execute(sql: "PRAGMA cache_size = -\(cacheSize / 1024)")
            }
        }
        // As raw C: readers that begin or end may be in a writer's way for a moment.
        configuration.busyMode = .timeout(10)
        pool = try DatabasePool(path: path, configuration: configuration)
    }

    func close() throws { try pool.close() }
}
