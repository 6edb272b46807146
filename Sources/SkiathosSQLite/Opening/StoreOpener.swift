import GRDB
import SkiathosStore

/// Opens a store: makes all checks first, and changes nothing before they have passed.
struct StoreOpener {
    let schema: StoreSchema
    let options: StoreOptions
    /// How idle connections are detected.
    var wakeUps = IdleWakeUps.afterTime
    /// How a write waits for reads that keep the WAL from restarting.
    var renewalWait = EpochWait.shortly
    /// Called with every statement of a migration.
    var onMigrationStatement: MigrationConnection.Witness?
    /// The path of the file, or `nil` for a store in memory.
    let file: String?
    let shared: StoreSQL

    init(schema: StoreSchema, options: StoreOptions, file: String?) {
        self.schema = schema
        self.options = options
        self.file = file
        shared = StoreSQL(schema, declaredObjects: options.declaredObjects, file: file)
    }

    /// Opens the store, creating it if there is none.
    func open() throws -> SQLiteStore {
        try check()
        return if let file { try open(StorePath(file)) } else { try openInMemory() }
    }

    /// Makes the checks that need no open file.
    func check() throws {
        try BackendVersion.check()
        try SearchIndex.check(schema)
        let names = Dictionary(grouping: options.migrations, by: \.name)
        if let duplicates = names.first(where: { $0.value.count > 1 }) {
            throw StoreError(
                .invalidSchema,
                "\(duplicates.value.count) steps of the migrations are called \"\(duplicates.key)\". Give each a name of its own, by which stores remember it."
            )
        }
    }

    private func open(_ path: StorePath) throws -> SQLiteStore {
        if try StoreReplacement.isUnfinished(path) { try finishReplacement(path) }
        // Before the lock, so that no lock file is left where no store can be.
        let findings = try path.check(forWriting: !options.isReadOnly)
        if options.isReadOnly {
            return try translating {
                if findings.hasWAL, !findings.hasJournal { try requireOwnWAL(path) }
                return try openForReading(path)
            }
        }
        let lock = try WriterLock(path)
        do {
            return try open(path, lock)
        } catch {
            // No lock file is left beside the file of another program.
            lock.discard()
            throw error
        }
    }

    private func open(_ path: StorePath, _ lock: WriterLock) throws -> SQLiteStore {
        // Again, since another writer may have closed in between.
        let findings = try path.check(forWriting: true)
        return try translating {
            let base = try inspectUntouched(path, findings, lock)
            let version = CommitCounter(wakeUps: wakeUps, wait: renewalWait)
            let writer = try openForWriting(path, version, findings, base)
            let readers = try openReaders(path, version)
            version.register(readers, writer)
            return SQLiteStore(
                schema,
                OpenConnections(
                    writer: writer, readers: readers, version: version, lock: lock, path: path),
                isReadOnly: false)
        }
    }

    private func finishReplacement(_ path: StorePath) throws {
        guard !options.isReadOnly else {
            throw StoreError(
                .readOnly,
                "The replacement of \(path.quotedFile) by a backup was cut off, and opening it read-only cannot end that. Open it for writing once."
            )
        }
        let lock = try WriterLock(path)
        defer { lock.release() }
        try StoreReplacement.finish(path)
    }

    private func openInMemory() throws -> SQLiteStore {
        try translating {
            let queue = try settings("writer", isReadOnly: false).openInMemory()
            try queue.inDatabase { try create(in: $0) }
            let connection = try SQLiteConnection(
                queue, shared: shared, isReadOnly: options.isReadOnly,
                recording: options.statements)
            return SQLiteStore(
                schema, OpenConnections(writer: SQLiteWriter(connection), readers: [], lock: nil),
                isReadOnly: options.isReadOnly)
        }
    }

    private func openForReading(_ path: StorePath) throws -> SQLiteStore {
        let file = try ReadFile(path)
        let queue = try settings("writer", isReadOnly: true).open(path.file)
        let readSchema = try queue.inDatabase { database in
            // Before the comparison: a later migration is found by the first read.
            let readSchema = try ReadSchema(schema, in: database, file: path.file)
            guard let plan = try inspect(database, path) else {
                throw StoreError(
                    .schemaMismatch,
                    "\"\(path.file)\" is empty, and its tables cannot be created by opening it read-only. Open it for writing once."
                )
            }
            guard plan.isEmpty else { throw onlyWritable(plan, path) }
            return readSchema
        }
        let writer = SQLiteWriter(
            try SQLiteConnection(
                queue, shared: shared, isReadOnly: true, readSchema: readSchema,
                recording: options.statements))
        let readers = try openReaders(path, nil, readSchema)
        try file.check()
        return SQLiteStore(
            schema,
            OpenConnections(
                writer: writer, readers: readers, lock: nil, path: path, readFile: file),
            isReadOnly: true)
    }

    private func openForWriting(
        _ path: StorePath, _ version: CommitCounter, _ findings: StorePath.Findings,
        _ base: MainHeader?
    ) throws -> SQLiteWriter {
        DiskReserve.removeRemains(at: path)
        let queue = try settings("writer", isReadOnly: false).open(path.file)
        var plan: SchemaPlan?
        let pageSize = try queue.inDatabase { database in
            try database.requireWritable(path.file)
            // A file with a WAL was inspected before, through a connection that changes nothing.
            plan = try inspect(database, path, readingRows: !findings.hasWAL)
            if plan == nil {
                // Also syncs the directory after the journal's removal, so that no loss of power
                // can bring the journal back.
                try database.execute(sql: "PRAGMA synchronous = EXTRA")
                try create(in: database)
            }
            try database.namingFullDisk { try enterWALMode(database, path) }
            return try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 4096
        }
        let witness = try translating(path) { () throws(VFSFile.Failure) in
            try CommitWitness(path)
        }
        let wal = try queue.inDatabase { database in
            try database.sqliteConnection.map { handle in
                let file = try WALFile(handle)
                try WALFile.joinWrites(of: handle, pageSize: pageSize)
                let index = try WALIndex(handle, path)
                let watch = try FileWatch(
                    handle, file, index, path, pageSize: pageSize, hasWAL: findings.hasWAL,
                    base: base)
                return (
                    WALSync(
                        file, watch, WALWriteback(path), witness, path.directory, options.observer),
                    index
                )
            }
        }
        guard let (barrier, index) = wal else {
            throw StoreError(.backend, "The connection was closed before its first use.")
        }
        if options.acceptsIncompleteWAL { try barrier.forgetClaim() }
        if findings.hasWAL {
            try barrier.rewrite()
            try index.forgetCheckpoints(shared.errors)
        }
        if plan?.needsWriting == true { try queue.inDatabase { try migrate($0, path.quotedFile) } }
        let connection = try SQLiteConnection(
            queue, shared: shared, isReadOnly: false, version: version,
            recording: options.statements
        ) { [options] handle in
            WriteAheadLog(
                handle, index, barrier, DiskReserve(path), pageSize: pageSize, options)
        }
        return SQLiteWriter(connection, barrier)
    }

    private func openReaders(
        _ path: StorePath, _ version: CommitCounter?, _ readSchema: ReadSchema? = nil
    ) throws -> [SQLiteReader] {
        let files = try version.map { _ in try FileIdentities(path) }
        return try (0..<max(1, options.readerCount)).map { number in
            var spare: SpareReader?
            if let version, let files {
                spare = SpareReader { pin in
                    try openSpare("spare \(number + 1)", path, files, version, of: pin)
                }
            }
            let reader = try openReader("reader \(number + 1)", path, version, readSchema)
            return SQLiteReader(reader, spare: spare)
        }
    }

    /// Opens the spare connection for one with a pin, at any time while the store is open.
    private func openSpare(
        _ purpose: String, _ path: StorePath, _ files: FileIdentities, _ version: CommitCounter,
        of pin: SnapshotPin
    ) throws -> SQLiteReader {
        try translating {
            let spare = SQLiteReader(try openReader(purpose, path, version, spareOf: pin))
            do {
                // Another program may have put others in their place.
                var files = files
                _ = try files.check(walSize: 0)
            } catch {
                try? spare.close()
                throw error
            }
            version.add(spare)
            return spare
        }
    }

    private func openReader(
        _ purpose: String, _ path: StorePath, _ version: CommitCounter?,
        _ readSchema: ReadSchema? = nil, spareOf owner: SnapshotPin? = nil
    ) throws -> SQLiteConnection {
        var settings = settings(purpose, isReadOnly: true)
        // A spare connection has another version for each read, and SQLite empties its cache before.
        if owner != nil { settings.cacheSize = min(settings.cacheSize, 2 << 20) }
        return try SQLiteConnection(
            try settings.open(path.file), shared: shared, isReadOnly: true, version: version,
            spareOf: owner, readSchema: readSchema, recording: options.statements)
    }

    private func enterWALMode(_ database: Database, _ path: StorePath) throws {
        // Stepped to its end, where the header is written: a failure occurs only there.
        let mode = try String.fetchAll(database, sql: "PRAGMA journal_mode = WAL").first
        guard mode == "wal" else {
            throw StoreError(
                .backend,
                "\"\(path.file)\" could not be switched to WAL mode; it is in the mode \"\(mode ?? "unknown")\". Its file system may lack shared memory. Keep it on a local disk."
            )
        }
        try database.execute(sql: "PRAGMA synchronous = NORMAL")
        try database.execute(sql: "PRAGMA wal_autocheckpoint = 0")
        // A WAL that grew during a long read is truncated when it restarts; otherwise its
        // file keeps the size (sqlite.org/pragma.html#pragma_journal_size_limit).
        try database.execute(sql: "PRAGMA journal_size_limit = \(options.walSizeLimit)")
        // The WAL is created by the first access in the new mode.
        _ = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema")
    }

    /// Throws unless a file is a store that matches these entities, or can be migrated.
    ///
    /// - Returns: The plan for it, or `nil` if it is empty.
    func inspect(
        _ database: Database, _ path: StorePath, readingRows: Bool = true
    ) throws -> SchemaPlan? {
        guard let plan = try plan(for: database, path, readingRows: readingRows) else { return nil }
        if let refusal = plan.refusal(source: path.quotedFile) { throw refusal }
        return plan
    }

    private func onlyWritable(_ plan: SchemaPlan, _ path: StorePath) -> StoreError {
        let text = plan.published(source: path.quotedFile).text(withStatements: false)
        return StoreError(
            .schemaMismatch,
            """
            \(path.quotedFile) has to be changed to fit the entities, which opening it read-only cannot \
            do. Open it for writing once. The file was left as it was.
            \(text)
            """)
    }

    private func create(in database: Database) throws {
        try FileFormat.create(schema, options.migrations, shared.errors, in: database)
    }

    func settings(_ purpose: String, isReadOnly: Bool) -> ConnectionSettings {
        ConnectionSettings(
            label: "Skiathos \(purpose)", isReadOnly: isReadOnly, cacheSize: options.cacheSize,
            objects: shared.objects)
    }

    /// Runs an operation on a file beside the store.
    private func translating<R>(
        _ path: StorePath, _ body: () throws(VFSFile.Failure) -> R
    ) throws -> R {
        do { return try body() } catch {
            throw shared.errors.error(error.code, "\"\(path.witnessFile)\" cannot be used")
        }
    }

    func translating<R>(_ body: () throws -> R) throws -> R {
        do { return try body() } catch { throw shared.errors.error(error) }
    }
}
