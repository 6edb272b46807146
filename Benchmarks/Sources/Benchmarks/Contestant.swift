import Skiathos

/// One way to do the work, on a file of its own.
protocol Contestant: AnyObject {
    static var name: String { get }

    /// Opens a file that holds the schema and the companies already.
    init(path: String) throws

    /// W1: inserts users in one transaction.
    func insert(_ users: [User]) throws
    /// R1: fetches all users, by their ID.
    func fetchAll() throws -> [User]
    /// R2b: fetches users one by one, each in a closure of its own, and returns the checksum.
    func fetchOneByOne(_ ids: [Int64]) throws -> Int64
    /// W4: fetches all users, makes each a year older, and saves that.
    func increaseAges() throws
    /// W2, W3: says what the following calls of `insertAlone` promise.
    func promise(_ promise: Promise) throws
    /// W2, W3: inserts a user in a write of its own, from any thread.
    func insertAlone(_ user: User) throws
    /// W3t: the same from a task.
    func insertAloneInTask(_ user: User) async throws
    /// W2, W3: commits what is left.
    func settle() throws
    /// Deletes all users.
    func deleteAll() throws
    func close() throws
}

/// What a write has done when it returns.
enum Promise {
    /// Every later read sees it; where a contestant has no such thing, it is committed.
    case visible
    /// It survives the end of the process.
    case committed
    /// It survives the loss of power.
    case durable

    /// In SQLite's write-ahead mode NORMAL syncs at checkpoints alone, and FULL after each commit.
    var pragma: String { "PRAGMA synchronous = \(self == .durable ? "FULL" : "NORMAL")" }
}

/// The page cache of each connection, the same for all contestants: the default of Skiathos.
enum CacheSize {
    /// Negative sizes are in KiB (sqlite.org/pragma.html#pragma_cache_size).
    static var pragma: String { "PRAGMA cache_size = -\(Configuration().cacheSize / 1024)" }
}

/// An outcome that differs between contestants, or a failing C call.
struct BenchmarkError: Error, CustomStringConvertible {
    let description: String
}
