/// All connections of an open store, and the lock that protects them from other writers.
struct OpenConnections: Sendable {
    var writer: SQLiteWriter
    var readers: [SQLiteReader]
    /// What the connections of a file that is open for writing share.
    var version: SharedVersion?
    /// The lock of a file that is open for writing.
    var lock: WriterLock?
    /// The path of the file, or `nil` for a store in memory.
    var path: StorePath?

    /// Closes everything, whatever fails on the way, and throws the first failure.
    ///
    /// The readers go first, since the log can only be emptied when nobody reads it, and the
    /// lock last. After a failure of the disk the readers go last: SQLite neither empties nor
    /// removes the log then, and the next opening finds it.
    func close() throws {
        defer { lock?.release() }
        let failure = writer.failure
        var steps = readers.map { reader in { try reader.close() } }
        steps.insert({ try writer.close() }, at: failure == nil ? steps.endIndex : 0)
        let results = steps.map { step in Result { try step() } }
        version?.register([])
        if let failure { throw failure }
        for result in results { try result.get() }
    }
}
