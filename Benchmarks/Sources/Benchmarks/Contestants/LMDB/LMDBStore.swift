/// An environment of LMDB: the rows by their ID, and the IDs by email and by company.
struct LMDBStore {
    let lmdb: LMDB
    // Valid until `close`.
    let environment: OpaquePointer
    let users: UInt32
    let emails: UInt32
    let companies: UInt32

    /// So much of the address space is set aside, which the file may grow to.
    private static let mapSize = 16 << 30

    init(path: String) throws {
        let lmdb = try LMDB.load()
        var created: OpaquePointer?
        try lmdb.check(lmdb.makeEnvironment(&created))
        guard let environment = created else { throw BenchmarkError("LMDB: no environment") }
        do {
            try lmdb.check(lmdb.setMapSize(environment, Self.mapSize))
            try lmdb.check(lmdb.setDatabaseCount(environment, 3))
            let flags = LMDB.Flag.isFile | LMDB.Flag.noThreadLocals | LMDB.Flag.noSync
            try lmdb.check(lmdb.openEnvironment(environment, path, flags, 0o600))
            (users, emails, companies) = try Self.openDatabases(lmdb, environment)
        } catch {
            lmdb.closeEnvironment(environment)
            throw error
        }
        self.lmdb = lmdb
        self.environment = environment
    }

    private static func openDatabases(
        _ lmdb: LMDB, _ environment: OpaquePointer
    ) throws -> (UInt32, UInt32, UInt32) {
        try transaction(lmdb, environment) { transaction in
            func open(_ name: String, _ flags: UInt32) throws -> UInt32 {
                var database: UInt32 = 0
                try lmdb.check(
                    lmdb.openDatabase(
                        transaction, name, flags | LMDB.Flag.create, &database))
                return database
            }
            return (
                try open("user", LMDB.Flag.integerKeys), try open("email", 0),
                try open("company", LMDB.Flag.integerKeys | LMDB.Flag.integerDuplicates)
            )
        }
    }

    /// Runs a closure in a transaction that writes, and commits it.
    ///
    /// Threads take turns, which LMDB itself sees to.
    func write<R>(_ body: (OpaquePointer) throws -> R) throws -> R {
        try Self.transaction(lmdb, environment, body)
    }

    private static func transaction<R>(
        _ lmdb: LMDB, _ environment: OpaquePointer, _ body: (OpaquePointer) throws -> R
    ) throws -> R {
        var begun: OpaquePointer?
        try lmdb.check(lmdb.begin(environment, nil, 0, &begun))
        guard let transaction = begun else { throw BenchmarkError("LMDB: no transaction") }
        let result: R
        do {
            result = try body(transaction)
        } catch {
            lmdb.abort(transaction)
            throw error
        }
        try lmdb.check(lmdb.commit(transaction))
        return result
    }

    func openCursor(_ transaction: OpaquePointer, _ database: UInt32) throws -> OpaquePointer {
        var cursor: OpaquePointer?
        try lmdb.check(lmdb.openCursor(transaction, database, &cursor))
        guard let cursor else { throw BenchmarkError("LMDB: no cursor") }
        return cursor
    }

    func close() { lmdb.closeEnvironment(environment) }
}
