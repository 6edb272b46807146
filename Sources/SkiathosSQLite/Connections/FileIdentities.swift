import CSkiathosFiles
import SkiathosStore

/// The identities of an open store's files, to detect their removal, replacement or
/// truncation.
///
/// SQLite continues to write to a WAL that another program has removed, and its contents are
/// lost at the next opening. Comparing the files' identities by path opens and closes no file,
/// so it releases no lock.
struct FileIdentities: Sendable {
    private var main: KnownFile
    private let wal: KnownFile
    private let index: KnownFile
    /// Without it, a second process could lock a file of the same name.
    private let lock: KnownFile

    /// Records the files of a store that was just opened.
    init(_ path: StorePath) throws {
        main = try Self.remember(path.file, withTime: true)
        wal = try Self.remember(path.walFile)
        index = try Self.remember(path.indexFile)
        lock = try Self.remember(path.lockFile)
    }

    /// Throws if the paths no longer lead to the same files, or if a file was truncated.
    ///
    /// - Parameter walSize: How many bytes of the WAL are in use at least.
    /// - Returns: Whether the main file was written since ``mainWasWritten()``.
    /// - Throws: ``StoreError`` with code `interference`, or, if this process cannot check,
    ///   with the code of the reason.
    mutating func check(walSize: Int64) throws -> Bool {
        // The main file never shrinks, so its size is recorded.
        let present = try Self.check(main, leastSize: main.identity.size)
        main.identity.size = present.size
        _ = try Self.check(wal, leastSize: walSize)
        _ = try Self.check(index, leastSize: 0)
        _ = try Self.check(lock, leastSize: 0)
        return present.modified != main.identity.modified
    }

    /// Records that the main file is as it should be, however it was written.
    mutating func mainWasWritten() throws {
        if let present = try main.present { main.identity = present }
    }

    /// The error for a main file that holds something else.
    var mainWasOverwritten: StoreError { Self.interference(main.path, "overwritten") }

    /// The error for a WAL that has lost its end.
    var walWasCut: StoreError { Self.interference(wal.path, "cut short") }

    private static func check(
        _ file: KnownFile, leastSize: Int64
    ) throws -> skiathos_file_identity {
        guard let identity = try file.present else {
            throw interference(file.path, "removed or replaced")
        }
        guard identity.size >= leastSize else { throw interference(file.path, "cut short") }
        return identity
    }

    private static func remember(_ path: String, withTime: Bool = false) throws -> KnownFile {
        guard let file = try KnownFile(path, withTime: withTime) else {
            throw interference(path, "removed or replaced")
        }
        return file
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
