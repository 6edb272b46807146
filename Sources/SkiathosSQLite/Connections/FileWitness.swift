import CSkiathosFiles
import SkiathosStore

/// Which files a store was opened with, so that their removal, replacement or cutting is noticed.
///
/// SQLite goes on writing to a log that somebody has removed, and everything in it is gone at the
/// next opening. Comparing the files' identities by path opens and closes nothing, so it drops no
/// lock.
struct FileWitness: Sendable {
    private struct Witnessed: Sendable {
        let path: String
        var identity: skiathos_file_identity
    }

    private var main: Witnessed
    private var log: Witnessed
    private var index: Witnessed

    /// Remembers the files of a store that was just opened.
    init(_ path: StorePath) throws {
        main = try Self.witness(path.file)
        log = try Self.witness(path.logFile)
        index = try Self.witness(path.indexFile)
    }

    /// Makes sure that the paths still lead to the same files, and that nobody has cut them.
    ///
    /// - Parameter logSize: How many bytes of the log are in use at least.
    /// - Throws: ``StoreError`` with code `interference`.
    mutating func check(logSize: Int64) throws {
        // The main file never shrinks, so its size is remembered.
        main.identity = try Self.check(main, leastSize: main.identity.size)
        _ = try Self.check(log, leastSize: logSize)
        _ = try Self.check(index, leastSize: 0)
    }

    /// The error for a log that has lost its end.
    var logWasCut: StoreError { Self.interference(log.path, "cut short") }

    private static func check(
        _ file: Witnessed, leastSize: Int64
    ) throws -> skiathos_file_identity {
        guard let identity = identity(of: file.path), identity.device == file.identity.device,
            identity.inode == file.identity.inode
        else { throw interference(file.path, "removed or replaced") }
        guard identity.size >= leastSize else { throw interference(file.path, "cut short") }
        return identity
    }

    private static func witness(_ path: String) throws -> Witnessed {
        guard let identity = identity(of: path) else {
            throw interference(path, "removed or replaced")
        }
        return Witnessed(path: path, identity: identity)
    }

    /// What a path leads to; what cannot be looked at is as good as gone.
    private static func identity(of path: String) -> skiathos_file_identity? {
        var identity = skiathos_file_identity()
        return skiathos_identify_file(path, &identity) == 0 ? identity : nil
    }

    private static func interference(_ path: String, _ what: String) -> StoreError {
        StoreError(
            .interference,
            "\"\(path)\" was \(what) while the store was open, so what is committed may be lost when it is closed. Save what is in memory, find out who did it, and open the store again."
        )
    }
}
