/// All connections of an open store, and the lock that protects them from other writers.
struct OpenConnections: Sendable {
    var writer: SQLiteWriter
    var readers: [SQLiteReader]
    /// The state shared by the connections of a file that is open for writing.
    var version: CommitCounter?
    /// The lock of a file that is open for writing.
    var lock: WriterLock?
    /// The path of the file, or `nil` for a store in memory.
    var path: StorePath?
    /// The file of a store that is open for reading only.
    var readFile: ReadFile?

    /// Closes everything, also after failures, and throws the first failure.
    ///
    /// The readers are closed first, since the WAL can only be truncated without readers, and
    /// the lock last. After a failure of the disk the readers are closed last: SQLite then
    /// neither truncates nor removes the WAL, and the next opening finds it.
    func close() throws {
        defer { lock?.release() }
        let failure = writer.failure
        var steps = readers.map { reader in { try reader.close() } }
        steps.insert({ try writer.close() }, at: failure == nil ? steps.endIndex : 0)
        let results = steps.map { step in Result { try step() } }
        version?.register([], nil)
        if let failure { throw failure }
        for result in results { try result.get() }
    }
}
