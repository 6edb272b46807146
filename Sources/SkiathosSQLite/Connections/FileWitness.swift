import SkiathosStore

/// Which files a store was opened with, so that their removal or replacement is noticed.
///
/// SQLite goes on writing to a log that somebody has removed, and everything in it is gone at the
/// next opening. Comparing the files' identities by path opens and closes nothing, so it drops no
/// lock.
struct FileWitness: Sendable {
    private struct Identity: Equatable, Sendable {
        var device: UInt64
        var inode: UInt64
    }

    private let paths: [String]
    private let identities: [Identity]

    /// Remembers the main file and the log of a store that was just opened.
    init(_ path: StorePath) throws {
        paths = [path.file, path.logFile]
        identities = try paths.map { path in
            guard let identity = Self.identity(of: path) else { throw Self.missing(path) }
            return identity
        }
    }

    /// Makes sure that the paths still lead to the same files.
    ///
    /// - Throws: ``StoreError`` with code `inputOutput`.
    func check() throws {
        for (path, identity) in zip(paths, identities) where Self.identity(of: path) != identity {
            throw Self.missing(path)
        }
    }

    private static func identity(of path: String) -> Identity? {
        // What cannot be looked at is as good as gone.
        guard let status = try? SystemCalls.status(of: path) else { return nil }
        return Identity(device: status.device, inode: status.inode)
    }

    private static func missing(_ path: String) -> StoreError {
        StoreError(
            .inputOutput,
            "\"\(path)\" was removed or replaced while the store was open, so what is committed may be lost when it is closed. Stop writing, save what is in memory, and open the store again."
        )
    }
}
