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
    /// The user version of the header of a file.
    ///
    /// It holds the version of the layout in its lowest byte, and in the two above it a mark, which the first
    /// transaction after each checkpoint changes. So copies of the file that were made at different times
    /// differ in their first bytes; see ``MainHeader``. The highest byte says so: without it the number is
    /// the version alone, as earlier versions of the package have written it.
    struct UserVersion: Equatable {
        private static let tag: Int32 = 0x5B
        /// The number as it is in the header.
        let number: Int32

        init(number: Int32) { self.number = number }

        /// One with a mark of its own.
        init(version: Int32) {
            number = Self.tag << 24 | Int32(UInt16.random(in: .min ... .max)) << 8 | version
        }

        private var isMarked: Bool { number >> 24 == Self.tag }
        /// The version of the layout.
        var version: Int32 { isMarked ? number & 0xFF : number }
        /// The same version with another mark.
        ///
        /// It is random: a copy that was opened and the file that it was copied from go on differently.
        var next: UserVersion {
            var next = self
            while next == self { next = UserVersion(version: version) }
            return next
        }

        /// The statement that writes it.
        var sql: String { "PRAGMA user_version = \(number)" }
    }

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
        let version = UserVersion(number: mark).version
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
            try database.execute(sql: UserVersion(version: version).sql)
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

    /// Puts another mark into the header.
    static func renewMark(in database: Database) throws {
        let present = try Int32.fetchOne(database, sql: "PRAGMA user_version") ?? version
        try database.execute(sql: UserVersion(number: present).next.sql)
    }

    /// Brings a file of layout version 1 to the present one, inside a transaction.
    static func upgrade(_ run: (String) throws -> Void) throws {
        try run("ALTER TABLE \"skiathos_layout\" ADD COLUMN \"layout\" TEXT")
        try run(UserVersion(version: version).sql)
    }
}
