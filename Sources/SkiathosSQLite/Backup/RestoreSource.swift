import GRDB
import GRDBSQLite
import SkiathosStore

/// A backup to restore: opened read-only, and checked before any row is copied.
///
/// Not `Sendable`: used by one thread at a time.
final class RestoreSource {
    private let queue: DatabaseQueue
    private let shared: StoreSQL

    /// Opens and checks a backup.
    ///
    /// - Parameters:
    ///   - text: The path as it was given.
    ///   - ownFile: The path of the store that is restored, or an empty text if it is in memory.
    /// - Throws: ``StoreError`` with the reason why it cannot be restored.
    init(_ text: String, into ownFile: String, _ store: StoreSQL) throws {
        let path = try StorePath(text)
        shared = StoreSQL(
            store.schema, declaredObjects: store.declaredObjects, file: path.file)
        guard path.file != ownFile, try !Self.isSameFile(path.file, ownFile) else {
            throw StoreError(
                .invalidPath,
                "\"\(path.file)\" is the store that is to be restored. Name the file of a backup.")
        }
        // It is only read, and checked first, so another name of it does no harm.
        _ = try path.check(forWriting: false, allowsLinks: true)
        do {
            let settings = ConnectionSettings(
                label: "Skiathos restore", isReadOnly: true, cacheSize: 1 << 20,
                objects: shared.objects)
            queue = try settings.open(path.file)
            do { try check(path) } catch {
                try? queue.close()
                throw error
            }
        } catch {
            throw shared.errors.error(error)
        }
    }

    /// Closes the file.
    func close() {
        // It was only read.
        try? queue.close()
    }

    /// Runs a closure with the connection, whose snapshot stays the same.
    func access<R>(_ body: (SQLiteSession) throws -> R) throws -> R {
        let session = try SQLiteSession(
            queue, shared: shared, isReadOnly: true, version: nil, wal: nil)
        defer { session.close() }
        return try body(session)
    }

    private func check(_ path: StorePath) throws {
        try queue.inDatabase { database in
            try database.execute(sql: "BEGIN DEFERRED")
            guard try FileFormat.content(of: database, file: path.file) == .store else {
                throw StoreError(
                    .notADatabase,
                    "\"\(path.file)\" is empty, so it is no backup of a store. Check the path.")
            }
            let planner = try SchemaPlanner(
                shared.schema, [], declaredObjects: shared.declaredObjects)
            let plan = try planner.plan(SchemaSnapshot.introspect(database), in: database)
            let rows = MigrationConnection(database, shared.errors)
            let unreadable = try plan.kindChanges.compactMap {
                try $0.problem(at: $0.source, on: rows, nil)
            }
            let differences = plan.differences + unreadable
            guard differences.isEmpty else {
                throw StoreError(
                    .schemaMismatch,
                    """
                    The tables in "\(path.file)" are not those of this store, so nothing was \
                    restored. Open it once for writing, which brings them up to date. To fit, it \
                    would need these changes:
                    \(differences.map { "- \($0)" }.joined(separator: "\n"))
                    """)
            }
        }
        let problems = try access { try $0.integrityProblems() }
        guard problems.isEmpty else {
            throw StoreError(
                .damaged,
                "The backup \"\(path.file)\" is not sound, so nothing was restored: \(problems.prefix(3).joined(separator: " ")) Restore another one."
            )
        }
    }

    private static func isSameFile(_ one: String, _ other: String) throws -> Bool {
        guard !other.isEmpty, let one = try? SystemCalls.status(of: one),
            let other = try? SystemCalls.status(of: other)
        else { return false }
        return one.device == other.device && one.inode == other.inode
    }
}
