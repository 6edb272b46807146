import CSkiathosSQLite
import GRDB
import GRDBSQLite
import SkiathosStore

/// How connections are opened.
struct ConnectionSettings: Sendable {
    /// How long a connection waits for the locks of another program, in seconds; the one that writes
    /// has a ``BusyPatience`` once the store is open.
    static let busyTimeout = 5.0

    /// The purpose of the connection, as in the names of threads.
    var label: String
    /// Whether the connection is read-only.
    var isReadOnly: Bool
    /// How many bytes of pages the connection may keep in memory.
    var cacheSize: Int
    /// The objects that the file may hold beside the tables of the entities.
    var objects: AllowedObjects
    /// Whether the connection leaves the WAL as it is when it closes.
    var keepsWAL = false

    /// Opens a connection to a file.
    func open(_ path: String) throws -> DatabaseQueue {
        try DatabaseQueue(path: path, configuration: configuration)
    }

    /// Opens a connection to a database of its own in memory.
    func openInMemory() throws -> DatabaseQueue {
        try DatabaseQueue(configuration: configuration)
    }

    private var configuration: Configuration {
        var configuration = Configuration()
        configuration.label = label
        configuration.readonly = isReadOnly
        configuration.foreignKeysEnabled = true
        // The writer's transaction stays open from one access to the next.
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .timeout(Self.busyTimeout)
        let (cacheSize, protection, keepsWAL) = (cacheSize, protection, keepsWAL)
        configuration.prepareDatabase { database in
            if keepsWAL { try Self.check(skiathos_keep_wal(database.sqliteConnection), database) }
            try protection.apply(to: database)
            try Self.register(on: database)
            // The first statement that reads the file. Negative numbers are KiB, others pages.
            try database.namingFullDisk {
                try database.execute(sql: "PRAGMA cache_size = \(-max(1, cacheSize / 1024))")
            }
        }
        return configuration
    }

    /// A connection that only reads runs no trigger.
    private var protection: ConnectionProtection {
        ConnectionProtection(
            allowsTriggers: objects.allowsTriggers && !isReadOnly, allowsViews: objects.allowsViews)
    }

    private static func register(on database: Database) throws {
        let connection = database.sqliteConnection
        let results = [
            TextFolding.register(on: connection), TextFunctions.register(on: connection),
            DecimalOrder.register(on: connection), DecimalArithmetic.register(on: connection),
            DecimalAggregates.register(on: connection), IntegerCheck.register(on: connection),
            PlainValue.register(on: connection),
            DateParts.register(on: connection), ListFunctions.register(on: connection),
            ColumnCheck.register(on: connection), RealArithmetic.register(on: connection),
            RealAggregates.register(on: connection),
            JSONNumber.register(on: connection), BulkTable.register(on: connection),
            connection.map(skiathos_register_keys) ?? SQLITE_MISUSE,
        ]
        for code in results { try check(code, database) }
    }

    private static func check(_ code: Int32, _ database: Database) throws {
        guard code == SQLITE_OK else {
            throw DatabaseError(
                resultCode: ResultCode(rawValue: code), message: database.lastErrorMessage)
        }
    }
}
