/// One way to do the work, on a file of its own that holds the schema and the companies.
///
/// Each call does the work of one workload, or of one repetition of it. Checksums are of all columns
/// of all rows that were fetched; they are made when the watch has been stopped, where that is
/// possible. What a contestant has no equivalent of throws ``NotOffered``.
protocol Contestant: AnyObject, Sendable {
    static var name: String { get }
    /// What a reader of the report has to know of it besides, as pairs of a name and a value.
    static var conditions: [(name: String, value: String)] { get }
    /// Whether what it commits waits in a WAL of SQLite until a checkpoint.
    static var hasWAL: Bool { get }

    /// Makes a file with the schema and the companies.
    static func makeFile(_ path: String) throws

    /// Opens a file.
    init(path: String, options: ContestantOptions) throws
    func close() throws

    // The state of the table, outside the time that is measured.
    func rowCount() throws -> Int
    func deleteAll() throws
    /// Deletes the users whose number is above one.
    func deleteUsers(above number: Int64) throws

    // Reads.
    func fetchAll(_ watch: Stopwatch) throws -> Int64
    /// Fetches all users as tracked objects; `held`: which are held already.
    func fetchObjects(held: Bool, _ watch: Stopwatch) throws -> Int64
    func readInOneClosure(_ ids: [Int64]) throws -> Int64
    /// Reads a user in a closure of its own; of several calls at the same time each has another
    /// number from 0 to 3.
    func read(_ id: Int64, as reader: Int) throws -> Int64
    func readInTask(_ id: Int64, as reader: Int) async throws -> Int64
    func fetch(ofCompany id: Int64) throws -> Int64
    /// Fetches the user with an email address, through the index of those.
    func fetch(withEmail email: String) throws -> Int64
    func fetchFirstByEmail(_ limit: Int) throws -> Int64
    func fetchFirstByLastname(_ limit: Int) throws -> Int64
    func countAdults() throws -> Int64
    func count(ofCompany id: Int64) throws -> Int64
    /// Fetches users with the names of their companies in as few statements as it can.
    func fetchWithCompanies(_ limit: Int) throws -> Int64
    /// The same as a plain loop over the users that asks for the company of each.
    func fetchThenCompanies(_ limit: Int) throws -> Int64
    /// Calls the probe before and while all users are in memory.
    func holdAll(asObjects: Bool, _ probe: HeapProbe) throws

    // Writes.
    /// Says what the following small writes promise.
    func promise(_ promise: Promise) throws
    func insert(_ users: [User], _ watch: Stopwatch) throws
    func insertAlone(_ user: User, _ promise: Promise) throws
    func insertAloneInTask(_ user: User, _ promise: Promise) async throws
    /// Inserts users in a write of its own each, which promises to be visible, and commits them
    /// together at the end.
    func insertMerged(_ users: [User]) throws
    /// Fetches a user, makes it a year older, and commits that.
    func increaseAgeAlone(_ id: Int64) throws
    /// Fetches so many users, makes each a year older, and saves that, in one write.
    func increaseAges(ofFirst count: Int) throws
    /// Commits what is left.
    func settle() throws
    /// Syncs what is committed; that of a contestant with a WAL is done by its checkpoints.
    func sync() throws
    /// Fetches all users, makes each a year older, and saves that.
    func increaseAges() throws
    /// The same of users that are held already.
    func increaseHeldAges(_ watch: Stopwatch) throws
    func deleteByPredicate() throws
    func deleteOneByOne(_ watch: Stopwatch) throws
}

/// A contestant has no equivalent of a workload.
struct NotOffered: Error {}

extension Contestant {
    static var conditions: [(name: String, value: String)] { [] }
    static var hasWAL: Bool { true }
    static func makeFile(_ path: String) throws { try Entrant.makeFile(path) }

    func fetchObjects(held: Bool, _ watch: Stopwatch) throws -> Int64 { throw NotOffered() }
    func increaseHeldAges(_ watch: Stopwatch) throws { throw NotOffered() }
    func settle() throws {}
    func sync() throws {}

    func insertMerged(_ users: [User]) throws {
        for user in users { try insertAlone(user, .visible) }
        try settle()
    }

    // Parts of the table of growth, which raw C and Skiathos alone have.
    func fetch(withEmail email: String) throws -> Int64 { throw NotOffered() }
    func increaseAgeAlone(_ id: Int64) throws { throw NotOffered() }
    func increaseAges(ofFirst count: Int) throws { throw NotOffered() }
}
