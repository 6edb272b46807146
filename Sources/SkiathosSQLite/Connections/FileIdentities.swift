import CSkiathosFiles
import SkiathosStore

/// The identities of an open store's files, to detect their removal, replacement or
/// truncation.
///
/// SQLite continues to write to a WAL that another program has removed, and its contents are
/// lost at the next opening. Comparing the files' identities by path opens and closes no file,
/// so it releases no lock.
struct FileIdentities: Sendable {
    private struct Known: Sendable {
        let path: String
        var identity: skiathos_file_identity
    }

    private var main: Known
    private let wal: Known
    private let index: Known
    /// Without it, a second process could lock a file of the same name.
    private let lock: Known

    /// Records the files of a store that was just opened.
    init(_ path: StorePath) throws {
        main = try Self.remember(path.file)
        wal = try Self.remember(path.walFile)
        index = try Self.remember(path.indexFile)
        lock = try Self.remember(path.lockFile)
    }

    /// Throws if the paths no longer lead to the same files, or if a file was truncated.
    ///
    /// - Parameter walSize: How many bytes of the WAL are in use at least.
    /// - Throws: ``StoreError`` with code `interference`, or, if this process cannot check,
    ///   with the code of the reason.
    mutating func check(walSize: Int64) throws {
        // The main file never shrinks, so its size is recorded.
        main.identity = try Self.check(main, leastSize: main.identity.size)
        _ = try Self.check(wal, leastSize: walSize)
        _ = try Self.check(index, leastSize: 0)
        _ = try Self.check(lock, leastSize: 0)
    }

    /// The error for a WAL that has lost its end.
    var walWasCut: StoreError { Self.interference(wal.path, "cut short") }

    private static func check(
        _ file: Known, leastSize: Int64
    ) throws -> skiathos_file_identity {
        guard let identity = try identity(of: file.path), identity.device == file.identity.device,
            identity.inode == file.identity.inode
        else { throw interference(file.path, "removed or replaced") }
        guard identity.size >= leastSize else { throw interference(file.path, "cut short") }
        return identity
    }

    private static func remember(_ path: String) throws -> Known {
        guard let identity = try identity(of: path) else {
            throw interference(path, "removed or replaced")
        }
        return Known(path: path, identity: identity)
    }

    /// The identity of the file at a path; `nil` if there is none.
    private static func identity(of path: String) throws -> skiathos_file_identity? {
        var identity = skiathos_file_identity()
        let code = skiathos_identify_file(path, &identity)
        if code == 0 { return identity }
        let failure = SystemCalls.Failure(number: code)
        if failure.isMissing { return nil }
        throw failure.error("\"\(path)\" cannot be examined")
    }

    private static func interference(_ path: String, _ what: String) -> StoreError {
        var error = StoreError(
            .interference,
            "\"\(path)\" was \(what) while the store was open, so what is committed may be lost when it is closed. Save what is in memory, find out which program did it, and open the store again."
        )
        error.endsDurability = true
        return error
    }
}
