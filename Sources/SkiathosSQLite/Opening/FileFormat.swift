import GRDB
import SkiathosStore

/// The marks that identify a file as a store of this package.
enum FileFormat {
    /// The application ID in the file's header: the letters "Skia".
    static let applicationID: Int32 = 0x536B_6961
    /// The version of the file's layout that this package writes.
    ///
    /// Version 2 keeps the layouts of the entities in words, beside their fingerprints.
    static let version: Int32 = 2
    /// The bits of the header's user version that hold the version of the layout.
    ///
    /// The others hold a random mark, which the first transaction after each checkpoint renews. So copies of
    /// the file that were made at different times differ in their first bytes; see ``MainHeader``.
    private static let versionBits: Int32 = 0xFF

    /// The kind of a file.
    enum Content: Equatable {
        /// It has no content yet.
        case empty
        /// It is a store of this package.
        case store
    }

    /// Reads the marks without changing anything.
    ///
    /// - Throws: ``StoreError`` with code `foreignDatabase`, `newerStore` or `damaged`.
    static func content(of database: Database, file: String) throws -> Content {
        let application = try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0
        let mark = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        let version = mark & versionBits
        let objects = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_schema") ?? 0
        if application == 0, mark == 0, objects == 0 {
            try checkForm(of: database, file: file)
            return .empty
        }
        guard application == applicationID else {
            throw StoreError(
                .foreignDatabase,
                "\"\(file)\" is a database of another program: its application ID is \(application), not \(applicationID). Choose another path; the file was left as it was."
            )
        }
        guard version <= self.version else {
            throw StoreError(
                .newerStore,
                "\"\(file)\" has layout version \(version), but this version of the package knows layouts up to \(self.version). Update the package; the file was left as it was."
            )
        }
        guard version > 0, objects > 0 else {
            throw StoreError(
                .damaged,
                "\"\(file)\" has the application ID of a store, but layout version \(version) and \(objects) tables and indexes: another program has emptied or changed it. Restore it from a backup; the file was left as it was."
            )
        }
        try checkForm(of: database, file: file)
        _ = try StoredObject.all(in: database, file: file)
        return .store
    }

    /// Checks required properties of the file that its tables do not show.
    ///
    /// Prefix conditions compare the bytes of texts, which have the order of the texts only in
    /// UTF-8. A main file that has become smaller counts as truncated.
    private static func checkForm(of database: Database, file: String) throws {
        let encoding = try String.fetchOne(database, sql: "PRAGMA encoding") ?? "unknown"
        guard encoding == "UTF-8" else {
            throw StoreError(
                .foreignDatabase,
                "\"\(file)\" keeps texts as \(encoding), and a store keeps them as UTF-8. Choose another path; the file was left as it was."
            )
        }
        let vacuum = try Int.fetchOne(database, sql: "PRAGMA auto_vacuum") ?? 0
        guard vacuum == 0 else {
            throw StoreError(
                .foreignDatabase,
                "Another program has set auto_vacuum of \"\(file)\" to \(vacuum), and a store needs 0, so that its file never shrinks. Execute \"PRAGMA auto_vacuum = NONE; VACUUM\" on it, or choose another path; the file was left as it was."
            )
        }
    }

    /// Creates the tables and sets the marks, all or nothing.
    ///
    /// A new store counts all steps of migrations as done.
    static func create(
        _ schema: StoreSchema, _ migrations: [StoreMigration], _ errors: ErrorTranslation,
        in database: Database
    ) throws {
        let connection = MigrationConnection(database, errors)
        let tables = TableLayout.entities(of: schema)
        try database.inTransaction(.immediate) {
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try renewMark { try database.execute(sql: $0) }
            for statement in TableLayout.creation(of: TableLayout.bookkeeping + tables) {
                try database.execute(sql: statement)
            }
            for table in tables where table.hasRowID {
                try database.execute(
                    sql: "INSERT INTO \(SQLText.quote(TableLayout.sequence.name)) VALUES (?, 0)",
                    arguments: [table.name])
            }
            try MigrationRun.record(migrations) { try connection.run($0, $1) }
            try ProgramLayout(schema).record(replacing: nil) { try connection.run($0, $1) }
            return .commit
        }
    }

    /// Puts another mark into the header of a copy, so that it is told apart from the file that was copied, and
    /// from other copies.
    static func renewMark(ofCopy database: Database) throws {
        let mark = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? version
        try renewMark(mark & versionBits) { try database.execute(sql: $0) }
    }

    /// Brings a file of layout version 1 to the present one, inside a transaction.
    static func upgrade(_ run: (String) throws -> Void) throws {
        try run("ALTER TABLE \"skiathos_layout\" ADD COLUMN \"layout\" TEXT")
    }

    /// Puts another mark into the header, with the version of the layout.
    static func renewMark(
        _ version: Int32 = version, _ run: (String) throws -> Void
    ) throws {
        let mark = Int32.random(in: 1..<(1 << 23)) << versionBits.nonzeroBitCount
        try run("PRAGMA user_version = \(mark | version)")
    }
}
