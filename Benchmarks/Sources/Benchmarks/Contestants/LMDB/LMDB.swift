import CSupport
import Foundation

/// The functions of LMDB that are called here, of a library that is loaded at run time.
///
/// So neither its header nor the library is needed to build, or to run what does not use it. The
/// types and numbers are those of its versions 0.9.
final class LMDB: Sendable {
    typealias Pointer = UnsafeMutablePointer<OpaquePointer?>
    typealias Value = UnsafeMutablePointer<lmdb_value>
    typealias Numbers = UnsafeMutablePointer<Int32>

    /// Where the library was found.
    let path: String
    let version: String

    let describe: @convention(c) @Sendable (Int32) -> UnsafePointer<CChar>?
    let makeEnvironment: @convention(c) @Sendable (Pointer) -> Int32
    let setMapSize: @convention(c) @Sendable (OpaquePointer, Int) -> Int32
    let setDatabaseCount: @convention(c) @Sendable (OpaquePointer, UInt32) -> Int32
    let setFlags: @convention(c) @Sendable (OpaquePointer, UInt32, Int32) -> Int32
    let openEnvironment:
        @convention(c) @Sendable (OpaquePointer, UnsafePointer<CChar>, UInt32, mode_t) -> Int32
    let sync: @convention(c) @Sendable (OpaquePointer, Int32) -> Int32
    let closeEnvironment: @convention(c) @Sendable (OpaquePointer) -> Void

    let begin: @convention(c) @Sendable (OpaquePointer, OpaquePointer?, UInt32, Pointer) -> Int32
    let commit: @convention(c) @Sendable (OpaquePointer) -> Int32
    let abort: @convention(c) @Sendable (OpaquePointer) -> Void
    let reset: @convention(c) @Sendable (OpaquePointer) -> Void
    let renew: @convention(c) @Sendable (OpaquePointer) -> Int32

    let openDatabase:
        @convention(c) @Sendable (
            OpaquePointer, UnsafePointer<CChar>, UInt32, UnsafeMutablePointer<UInt32>
        ) -> Int32
    let statistics:
        @convention(c) @Sendable (
            OpaquePointer, UInt32, UnsafeMutablePointer<lmdb_statistics>
        ) -> Int32
    let empty: @convention(c) @Sendable (OpaquePointer, UInt32, Int32) -> Int32
    let get: @convention(c) @Sendable (OpaquePointer, UInt32, Value, Value) -> Int32

    let openCursor: @convention(c) @Sendable (OpaquePointer, UInt32, Pointer) -> Int32
    let closeCursor: @convention(c) @Sendable (OpaquePointer) -> Void
    let renewCursor: @convention(c) @Sendable (OpaquePointer, OpaquePointer) -> Int32
    let move: @convention(c) @Sendable (OpaquePointer, Value, Value, UInt32) -> Int32
    let put: @convention(c) @Sendable (OpaquePointer, Value, Value, UInt32) -> Int32
    let countDuplicates:
        @convention(c) @Sendable (OpaquePointer, UnsafeMutablePointer<Int>) -> Int32

    init(_ library: LoadedLibrary) throws {
        path = library.path
        let version: @convention(c) (Numbers, Numbers, Numbers) -> UnsafePointer<CChar>? =
            try library.function("mdb_version")
        var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
        _ = version(&major, &minor, &patch)
        self.version = "\(major).\(minor).\(patch)"
        guard major == 0, minor == 9 else {
            throw BenchmarkError("\(path) is LMDB \(self.version); what is called here is 0.9.")
        }
        describe = try library.function("mdb_strerror")
        makeEnvironment = try library.function("mdb_env_create")
        setMapSize = try library.function("mdb_env_set_mapsize")
        setDatabaseCount = try library.function("mdb_env_set_maxdbs")
        setFlags = try library.function("mdb_env_set_flags")
        openEnvironment = try library.function("mdb_env_open")
        sync = try library.function("mdb_env_sync")
        closeEnvironment = try library.function("mdb_env_close")
        begin = try library.function("mdb_txn_begin")
        commit = try library.function("mdb_txn_commit")
        abort = try library.function("mdb_txn_abort")
        reset = try library.function("mdb_txn_reset")
        renew = try library.function("mdb_txn_renew")
        openDatabase = try library.function("mdb_dbi_open")
        statistics = try library.function("mdb_stat")
        empty = try library.function("mdb_drop")
        get = try library.function("mdb_get")
        openCursor = try library.function("mdb_cursor_open")
        closeCursor = try library.function("mdb_cursor_close")
        renewCursor = try library.function("mdb_cursor_renew")
        move = try library.function("mdb_cursor_get")
        put = try library.function("mdb_cursor_put")
        countDuplicates = try library.function("mdb_cursor_count")
    }

    /// Throws what a code says, unless it says that all is well.
    func check(_ code: Int32) throws {
        guard code != 0 else { return }
        throw BenchmarkError("LMDB: \(describe(code).map { String(cString: $0) } ?? "\(code)")")
    }

    /// False if a code says that there is nothing, or nothing more.
    func found(_ code: Int32) throws -> Bool {
        if code == Self.notFound { return false }
        try check(code)
        return true
    }

    private static let notFound: Int32 = -30798
}

extension LMDB {
    /// Flags of an environment, of a transaction, of a database, and of a put.
    enum Flag {
        /// The path is that of the file, not of a directory.
        static let isFile: UInt32 = 0x4000
        static let readsOnly: UInt32 = 0x2_0000
        /// Commits write without a sync.
        static let noSync: UInt32 = 0x1_0000
        /// A transaction that reads belongs to its holder, not to a thread.
        static let noThreadLocals: UInt32 = 0x20_0000

        static let create: UInt32 = 0x4_0000
        static let integerKeys: UInt32 = 0x08
        /// Keys have several values, which are integers.
        static let integerDuplicates: UInt32 = 0x04 | 0x10 | 0x20

        /// Fails if the key is there.
        static let noOverwrite: UInt32 = 0x10
        /// Hands out the space for the value, which the caller fills.
        static let reserve: UInt32 = 0x1_0000
    }

    /// Where a cursor goes.
    enum Step {
        static let first: UInt32 = 0
        static let next: UInt32 = 8
        static let nextDuplicate: UInt32 = 9
        static let key: UInt32 = 15
    }
}
