import GRDBSQLite
import SkiathosStore

/// The header of a WAL's index, which describes the last commit (sqlite.org/walformat.html,
/// 2.1).
///
/// The index is in `-shm`. Its header is stored twice, with a checksum, so that a torn copy is
/// recognised. All numbers have the byte order of the machine.
struct WALIndexHeader: Equatable, Sendable {
    /// How many bytes have to be read: the header twice, and how far the WAL was checkpointed.
    static let size = 2 * copySize + 8
    private static let copySize = 48
    private static let wordCount = 12

    /// How many frames are committed.
    let frameCount: UInt32
    /// How many of them the main file holds.
    let checkpointedFrameCount: UInt32
    /// How many pages the database has, most of them in the main file.
    let pageCount: UInt32
    /// The checksum of the last of them, which covers all before.
    let checksum: SIMD2<UInt32>
    /// The salts of the WAL that it is about, as they are in the header of the WAL.
    let salts: SIMD2<UInt32>

    /// Reads a header; `nil` if there is none, or its process was killed while it wrote it.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= Self.size else { return nil }
        func word(_ index: Int) -> UInt32 {
            bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
        }
        for index in 0..<Self.wordCount where word(index) != word(index + Self.wordCount) {
            return nil
        }
        var sum = SIMD2<UInt32>.zero
        for index in stride(from: 0, to: Self.wordCount - 2, by: 2) {
            sum.x &+= word(index) &+ sum.y
            sum.y &+= word(index + 1) &+ sum.x
        }
        let isInitialized = bytes[12] != 0
        guard isInitialized, sum == SIMD2(word(10), word(11)) else { return nil }
        frameCount = word(4)
        pageCount = word(5)
        checksum = SIMD2(word(6), word(7))
        salts = SIMD2(word(8), word(9))
        checkpointedFrameCount = word(24)
    }
}

/// Both copies of the header of a WAL's index, byte by byte.
///
/// They stay the same as long as nothing is committed. A commit whose process was killed between the
/// two copies counts as soon as a connection reads and repairs them.
struct WALIndexMark: Equatable, Sendable {
    // Together the 96 bytes.
    private let start: SIMD8<UInt64>
    private let end: SIMD4<UInt64>

    fileprivate init(_ bytes: UnsafeRawBufferPointer) {
        start = bytes.loadUnaligned(as: SIMD8<UInt64>.self)
        end = bytes.loadUnaligned(fromByteOffset: 64, as: SIMD4<UInt64>.self)
    }
}

/// The index of the WAL that the connections to a file share, as a connection has it in memory.
///
/// Used on the queue of that connection, but for the header and the salts.
struct WALIndex: @unchecked Sendable {
    // Sendable: SQLite's file object and the memory stay for as long as the connection is open. Other
    // threads only read the memory, as other processes do.

    /// The lock that a checkpoint holds (sqlite.org/walformat.html, 2.3).
    private static let checkpointLock: Int32 = 1
    /// The offset of the number of checkpointed frames.
    private static let markOffset = 96
    /// The offset of the number that each transaction increments.
    private static let commitCountOffset = 8
    /// The offset of the salts.
    private static let saltsOffset = 32
    /// SQLite maps the index in parts of this size.
    private static let partSize: Int32 = 32_768

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let bytes: UnsafeMutableRawBufferPointer

    /// - Parameters:
    ///   - handle: A connection in WAL mode that has been read from.
    ///   - path: The store of the connection.
    /// - Throws: ``StoreError`` if the index can only be read. If opening it for writing
    ///   fails, SQLite silently opens it read-only, and refuses every write
    ///   (`unixOpenSharedMemory` in sqlite.org/src/file/src/os_unix.c).
    init(_ handle: OpaquePointer, _ path: StorePath) throws {
        let file = try MainFile.object(of: handle)
        guard let map = file.pointee.pMethods?.pointee.xShmMap else {
            throw StoreError(.backend, "SQLite has not opened the store.")
        }
        var part: UnsafeMutableRawPointer?
        let code = map(file, 0, Self.partSize, 0, &part)
        guard code != SQLITE_READONLY else {
            let reason = SystemCalls.reasonNotToOpen(path.indexFile)
            throw StoreError(
                reason.code,
                "\"\(path.indexFile)\" can only be read, though it was to be opened for writing. \(reason.advice)"
            )
        }
        guard code == SQLITE_OK, let part else {
            throw StoreError(
                .inputOutput,
                "The index \"\(path.indexFile)\" of the WAL cannot be used. Try again.",
                backendCode: Int(code))
        }
        self.file = file
        bytes = UnsafeMutableRawBufferPointer(start: part, count: Int(Self.partSize))
    }

    /// The index of a connection that may be in another mode than WAL; `nil` where it has none, or
    /// cannot use it.
    init?(reading handle: OpaquePointer, _ path: StorePath) {
        // SQLite would create an index for a connection in another mode.
        guard (try? WALFile(handle)) != nil, let index = try? WALIndex(handle, path) else {
            return nil
        }
        self = index
    }

    /// The header; `nil` if a connection is writing it.
    var header: WALIndexHeader? { WALIndexHeader(UnsafeRawBufferPointer(bytes)) }

    /// The salts of the WAL after the last commit of the connection, as the bytes of its header have them.
    ///
    /// Read without checks: only the holder of the right to write changes them.
    var salts: WALSalts {
        WALSalts(bytes.loadUnaligned(fromByteOffset: Self.saltsOffset, as: UInt64.self))
    }

    /// How many transactions were committed since the index was made, by any connection.
    ///
    /// Read without checks, like the salts.
    var commitCount: UInt32 {
        bytes.loadUnaligned(fromByteOffset: Self.commitCountOffset, as: UInt32.self)
    }

    /// What differs after each commit.
    var mark: WALIndexMark { WALIndexMark(UnsafeRawBufferPointer(bytes)) }

    /// Makes the next checkpoint copy every frame of the WAL, also those already copied.
    ///
    /// A checkpoint that a read holds up copies what it can, advances the mark and syncs
    /// nothing. The sync of the next one covers that; if it fails, the system drops the pages
    /// and the mark stays for as long as any connection is attached, also one of another
    /// process. So a writer that did not see all syncs since the mark was advanced cannot rely
    /// on it. Readers that rely on the main file alone are not harmed: a checkpoint waits for
    /// them.
    ///
    /// - Throws: ``StoreError`` with code `busy` if another program holds the lock of checkpoints
    ///   for five seconds.
    func forgetCheckpoints(_ errors: ErrorTranslation) throws {
        guard let lock = file.pointee.pMethods?.pointee.xShmLock else { return }
        let exclusive = SQLITE_SHM_EXCLUSIVE
        var code = lock(file, Self.checkpointLock, 1, SQLITE_SHM_LOCK | exclusive)
        let end = ContinuousClock.now + .seconds(ConnectionSettings.busyTimeout)
        while code == SQLITE_BUSY, ContinuousClock.now < end {
            SystemCalls.pause(milliseconds: 1)
            code = lock(file, Self.checkpointLock, 1, SQLITE_SHM_LOCK | exclusive)
        }
        guard code == SQLITE_OK else {
            throw errors.error(code, "the lock of checkpoints is held")
        }
        bytes.storeBytes(of: 0, toByteOffset: Self.markOffset, as: UInt32.self)
        _ = lock(file, Self.checkpointLock, 1, SQLITE_SHM_UNLOCK | exclusive)
    }
}
