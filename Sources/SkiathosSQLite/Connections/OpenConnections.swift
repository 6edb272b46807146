/// All connections of an open store, and the lock that protects them from other writers.
struct OpenConnections: Sendable {
    var writer: SQLiteWriter
    var readers: [SQLiteReader]
    /// The lock of a file that is open for writing.
    var lock: WriterLock?

    /// Closes everything, whatever fails on the way, and throws the first failure.
    ///
    /// The readers go first, since the log can only be emptied when nobody reads it, and the
    /// lock last.
    func close() throws {
        defer { lock?.release() }
        let results =
            readers.map { reader in Result { try reader.close() } }
            + [Result { try writer.close() }]
        for result in results { try result.get() }
    }
}
