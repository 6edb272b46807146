import Synchronization

/// Prepared statements through the C functions of SQLite: the limit that the others are held to.
///
/// - Note: Unchecked, since the connections are not `Sendable`: the writer is used under `turn`
///   alone, and of several readers at the same time each has a number of its own.
final class RawContestant: Contestant, @unchecked Sendable {
    static let name = "raw C"

    private let turn = Mutex(())
    private let writer: RawWriter
    let readers: [RawReader]

    init(path: String, options: ContestantOptions) throws {
        writer = try RawWriter(path: path, cacheSize: options.cacheSize)
        readers = try (0..<4).map { _ in
            try RawReader(path: path, cacheSize: options.cacheSize)
        }
    }

    func close() throws {
        for reader in readers { reader.close() }
        writer.close()
    }

    /// Threads take turns, as one connection demands.
    func writing<R>(_ body: (RawWriter) throws -> R) rethrows -> R {
        try turn.withLock { _ in try body(writer) }
    }
}
