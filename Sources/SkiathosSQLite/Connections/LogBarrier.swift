import GRDBSQLite
import Locks
import SkiathosStore
import Synchronization

/// Makes the write-ahead log safe on the disk, without the connection that writes it.
///
/// The sync goes through SQLite's own object of the file, so that it also syncs the directory the
/// first time, and so that tests can put a file system of their own underneath. The connection may
/// write to the file meanwhile: whatever it has committed before the call is covered, since it was
/// handed to the operating system by then.
final class LogBarrier: Sendable {
    private struct State: @unchecked Sendable {
        // Sendable: SQLite's file object may sync in one thread while it writes in another, as it
        // touches only the descriptor then. It lives as long as the connection, which `close` and
        // this lock see to.
        var file: UnsafeMutablePointer<sqlite3_file>?
        var witness: FileWitness
        /// The last page's header at the last sync, and where it lies; none once the log may start
        /// over.
        var mark: (offset: Int64, header: Header)?
    }

    /// What lies before each page of a log: numbers, salt and checksums.
    private typealias Header = SIMD3<UInt64>
    private static let headerSize: Int64 = 24
    /// `SQLITE_IOERR_SHORT_READ`, which the importer does not see.
    private static let shortRead = SQLITE_IOERR | 2 << 8

    /// Held during a sync.
    private let state: Lock<State>
    /// How many bytes of the log were in use after the last commit.
    private let logSize = Atomic<Int64>(0)
    private let pageSize: Int64
    /// The first failure after which the disk may hold less than SQLite believes.
    private let firstFailure = Lock<StoreError?>(nil)

    /// - Parameter handle: A connection in WAL mode that has been read from, so that its log is
    ///   open.
    init(_ handle: OpaquePointer, _ path: StorePath, pageSize: Int) throws {
        self.pageSize = Int64(pageSize)
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, $0)
        }
        guard found == SQLITE_OK, file?.pointee.pMethods != nil else {
            throw StoreError(
                .backend, "SQLite has not opened the log of the store.", backendCode: Int(found))
        }
        state = Lock(State(file: file, witness: try FileWitness(path)))
    }

    /// The failure after which the main file must not be changed on the strength of the log, and
    /// the log not be removed.
    var failure: StoreError? { firstFailure.withLock { $0 } }

    /// Notes how long the log is after a commit.
    func logHasSize(_ bytes: Int64) { logSize.store(bytes, ordering: .releasing) }

    /// Runs a checkpoint, unless the log may not be on the disk: the main file must not be changed
    /// on its strength then, and a sync that fails meanwhile could go unnoticed.
    func checkpointing(_ checkpoint: () throws -> Void) throws {
        // Noted before anybody else gets in: the next sync would succeed without having written
        // what this one has lost.
        try state.withLock { state in
            try noting {
                if let failure { throw failure }
                try check(&state)
                try checkpoint()
                // The next commit may start the log over, and cut its file.
                state.mark = nil
                logSize.store(0, ordering: .releasing)
            }
        }
    }

    /// Makes everything that was committed before the call survive the loss of power.
    ///
    /// After a failure of the disk, one that a checkpoint met included, it throws that.
    func sync() throws {
        try state.withLock { state in
            try noting {
                if let failure { throw failure }
                // A connection that was closed has synced everything.
                guard let file = state.file else { return }
                try check(&state)
                let size = logSize.load(ordering: .acquiring)
                try Self.sync(file)
                let offset = size - pageSize - Self.headerSize
                if offset > 0 { state.mark = (offset, try Self.header(at: offset, in: file)) }
            }
        }
    }

    /// A file that was cut may have grown again since, with a hole in it; what was its end tells.
    private func check(_ state: inout State) throws {
        try state.witness.check(logSize: logSize.load(ordering: .acquiring))
        guard let file = state.file, let mark = state.mark else { return }
        guard try Self.header(at: mark.offset, in: file) == mark.header else {
            throw state.witness.logWasCut
        }
    }

    /// Writes the log of an earlier process anew and syncs it.
    ///
    /// After a failed sync the system counts as written what never reached the disk, so that a
    /// later sync passes over it, also one of another process. Whoever finds a log makes sure of it
    /// like this before he relies on it.
    func rewrite() throws {
        try state.withLock { state in
            guard let file = state.file, let methods = file.pointee.pMethods?.pointee,
                let read = methods.xRead, let write = methods.xWrite, let size = methods.xFileSize
            else { return }
            var end: Int64 = 0
            try Self.check(size(file, &end))
            let part: Int64 = 1 << 16
            try withUnsafeTemporaryAllocation(byteCount: Int(part), alignment: 1) { buffer in
                for start in stride(from: 0, to: end, by: Int(part)) {
                    let length = Int32(min(part, end - start))
                    try Self.check(read(file, buffer.baseAddress, length, start))
                    try Self.check(write(file, buffer.baseAddress, length, start))
                }
            }
            try Self.sync(file)
        }
    }

    /// Lets go of the file, when no sync is under way.
    ///
    /// Called before the connection is closed.
    func close() { state.withLock { $0.file = nil } }

    /// Runs a file operation and remembers its failure, if it casts doubt on what the disk holds.
    ///
    /// A full disk or a busy file leaves the log as it was.
    func noting<R>(_ body: () throws -> R) throws -> R {
        do {
            return try body()
        } catch let error as StoreError where error.isAboutTheDisk {
            firstFailure.withLock { if $0 == nil { $0 = error } }
            throw error
        }
    }

    private static func header(
        at offset: Int64, in file: UnsafeMutablePointer<sqlite3_file>
    ) throws -> Header {
        var header = Header.zero
        guard let read = file.pointee.pMethods?.pointee.xRead else { return header }
        let code = withUnsafeMutableBytes(of: &header) {
            // SIMD3 takes the room of four numbers; the header has three.
            read(file, $0.baseAddress, Int32(headerSize), offset)
        }
        // What is not there any more reads as zeros.
        if code != shortRead { try check(code) }
        return header
    }

    private static func sync(_ file: UnsafeMutablePointer<sqlite3_file>) throws {
        guard let sync = file.pointee.pMethods?.pointee.xSync else { return }
        try check(sync(file, SQLITE_SYNC_NORMAL))
    }

    private static func check(_ code: Int32) throws {
        guard code == SQLITE_OK else {
            throw StoreError(
                .inputOutput,
                "The log could not be synced, so what was committed may not survive a loss of power. Close the store and open it again.",
                backendCode: Int(code))
        }
    }
}
