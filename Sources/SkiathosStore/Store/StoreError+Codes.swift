extension StoreError.Code {
    /// A value that must be unique already exists.
    public static let uniqueViolation = Self(rawValue: "uniqueViolation")
    /// A required column has no value.
    public static let notNullViolation = Self(rawValue: "notNullViolation")
    /// A reference leads to a missing row, or a row that is still referred to was deleted.
    public static let foreignKeyViolation = Self(rawValue: "foreignKeyViolation")
    /// Another constraint of the schema was violated.
    public static let constraintViolation = Self(rawValue: "constraintViolation")

    /// A value cannot be stored: not a number, a NUL character, a date or integer beyond range.
    public static let invalidValue = Self(rawValue: "invalidValue")
    /// A stored value cannot be turned into the type of its property.
    public static let undecodableValue = Self(rawValue: "undecodableValue")
    /// A value or row is larger than the store can hold.
    public static let tooBig = Self(rawValue: "tooBig")
    /// A request has more parts, or more parts inside of each other, than the store can take, or raw SQL
    /// follows more levels of references than its engine does.
    public static let tooComplex = Self(rawValue: "tooComplex")
    /// A request uses a feature that its entity lacks, such as a search without searchable
    /// columns.
    public static let invalidRequest = Self(rawValue: "invalidRequest")

    /// The path cannot be used: empty, a `file:` address, or its directory is missing.
    public static let invalidPath = Self(rawValue: "invalidPath")
    /// A file already exists where a new one was to be made.
    public static let fileExists = Self(rawValue: "fileExists")
    /// The file or its directory cannot be read or written by this process.
    public static let notPermitted = Self(rawValue: "notPermitted")
    /// The process, or the machine, has as many files open as it may.
    public static let tooManyOpenFiles = Self(rawValue: "tooManyOpenFiles")
    /// The file is on a type of file system whose locks cannot be trusted.
    public static let unsupportedFileSystem = Self(rawValue: "unsupportedFileSystem")
    /// The file is not a database.
    public static let notADatabase = Self(rawValue: "notADatabase")
    /// The file is damaged.
    public static let damaged = Self(rawValue: "damaged")
    /// The WAL of a store that was not closed has lost acknowledged commits.
    public static let incompleteWAL = Self(rawValue: "incompleteWAL")
    /// The main file was replaced or overwritten, and the WAL beside it belongs to the earlier one.
    public static let mismatchedWAL = Self(rawValue: "mismatchedWAL")
    /// The file is a database that another program made.
    public static let foreignDatabase = Self(rawValue: "foreignDatabase")
    /// The file was written by a newer version of this package, or of the program, also while it was open
    /// for reading only.
    public static let newerStore = Self(rawValue: "newerStore")
    /// The file's schema does not match the entities; the message holds the plan.
    public static let schemaMismatch = Self(rawValue: "schemaMismatch")
    /// A migration was rolled back: a step has failed, or its result does not match the
    /// entities.
    public static let migrationFailed = Self(rawValue: "migrationFailed")
    /// The entities themselves contradict each other.
    public static let invalidSchema = Self(rawValue: "invalidSchema")
    /// The file is open elsewhere for writing.
    public static let storeInUse = Self(rawValue: "storeInUse")
    /// The linked database library is too old.
    public static let unsupportedBackend = Self(rawValue: "unsupportedBackend")

    /// The store was opened for reading only.
    public static let readOnly = Self(rawValue: "readOnly")
    /// The disk is full.
    public static let diskFull = Self(rawValue: "diskFull")
    /// Reading, writing or syncing a file failed.
    public static let inputOutput = Self(rawValue: "inputOutput")
    /// Another program has removed, replaced, truncated or changed the files of an open store.
    public static let interference = Self(rawValue: "interference")
    /// Another program held a lock for too long.
    public static let busy = Self(rawValue: "busy")
    /// Raw SQL broke the rules of its access.
    ///
    /// It ended the transaction or snapshot, wrote in a read, or changed the tables of the
    /// store.
    public static let brokenBoundary = Self(rawValue: "brokenBoundary")
    /// The operation was interrupted and rolled back.
    public static let interrupted = Self(rawValue: "interrupted")
    /// The backend reported an error that has no code of its own here.
    public static let backend = Self(rawValue: "backend")
}
