import CSkiathosSQLite
import GRDBSQLite
import SkiathosStore

/// SQLite's own object of the file that holds the WAL of a connection.
struct WALFile: @unchecked Sendable {
    // Sendable: with the methods that it had at first, SQLite's file object may sync or read in one thread
    // while it writes in another, as it touches only the descriptor then. It lives as long as the
    // connection: it is used by the thread that has the connection, or under the lock of a `WALSync`,
    // which `close` takes.

    /// The header before each page of a WAL: numbers, salts and checksums.
    typealias Header = SIMD3<UInt64>

    private let pointer: UnsafeMutablePointer<sqlite3_file>
    /// The methods that it had at first.
    ///
    /// Those that `skiathos_join_frame_writes` puts in their place are for the thread of the connection
    /// alone. It calls these, so they stay for as long as the file is open.
    private let methods: UnsafePointer<sqlite3_io_methods>

    /// - Parameter handle: A connection in WAL mode that has been read from, so that its WAL is
    ///   open.
    init(_ handle: OpaquePointer) throws {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let found = withUnsafeMutablePointer(to: &file) {
            sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, $0)
        }
        guard found == SQLITE_OK, let file, let methods = file.pointee.pMethods else {
            throw StoreError(
                .backend, "SQLite has not opened the WAL of the store.", backendCode: Int(found))
        }
        pointer = file
        self.methods = methods
    }

    /// Has a connection write the frames of a transaction together, all with their checksums.
    ///
    /// Called when the file object that other threads use was made.
    static func joinWrites(of handle: OpaquePointer, pageSize: Int) throws {
        let code = skiathos_join_frame_writes(handle, Int32(pageSize))
        guard code == SQLITE_OK else {
            throw StoreError(
                .backend, "The WAL of the store cannot be written. Open the store again.",
                backendCode: Int(code))
        }
    }

    /// Syncs all earlier writes to the disk.
    func sync() throws {
        guard let sync = methods.pointee.xSync else { return }
        // On Darwin only this flag has the disk write its own cache; elsewhere both are the same.
        try Self.check(sync(pointer, SQLITE_SYNC_FULL))
    }

    /// Rewrites the whole file.
    func rewrite() throws {
        guard let write = methods.pointee.xWrite else { return }
        let end = try size
        let part: Int64 = 1 << 16
        try withUnsafeTemporaryAllocation(byteCount: Int(part), alignment: 1) { buffer in
            for start in stride(from: 0, to: end, by: Int(part)) {
                // At most the rest of the file: a short read has failed, and its buffer must
                // not be written.
                let part = UnsafeMutableRawBufferPointer(
                    rebasing: buffer[..<Int(min(part, end - start))])
                guard try read(start, part) == part.count else {
                    throw Self.failedRead(ResultCodes.shortRead)
                }
                try Self.check(write(pointer, part.baseAddress, Int32(part.count), start))
            }
        }
    }

    /// 24 bytes; missing bytes read as zeros.
    func header(at offset: Int64) throws -> Header {
        var header = Header.zero
        let count = try withUnsafeMutableBytes(of: &header) { bytes in
            // SIMD3 takes the room of four numbers; the header has three.
            try read(
                offset, UnsafeMutableRawBufferPointer(rebasing: bytes[..<WALWalk.frameHeaderSize]))
        }
        return count == WALWalk.frameHeaderSize ? header : .zero
    }

    /// Reads bytes; fewer at the end of the file.
    func read(_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let read = methods.pointee.xRead else { return 0 }
        let code = read(pointer, buffer.baseAddress, Int32(buffer.count), offset)
        guard code == ResultCodes.shortRead else {
            guard code == SQLITE_OK else { throw Self.failedRead(code) }
            return buffer.count
        }
        let there = Int(clamping: try size - offset)
        // If the file has the bytes, the read from the disk has failed.
        if there >= buffer.count { throw Self.failedRead(code) }
        return max(0, there)
    }

    private var size: Int64 {
        get throws {
            var size: Int64 = 0
            guard let find = methods.pointee.xFileSize else { return 0 }
            let code = find(pointer, &size)
            guard code == SQLITE_OK else { throw Self.failedRead(code) }
            return size
        }
    }

    private static func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    private static func failedRead(_ code: Int32) -> StoreError {
        StoreError(
            .inputOutput, "The WAL could not be read. Check the disk, then try again.",
            backendCode: Int(code))
    }

    /// The error for a failed write or sync.
    static func failure(_ code: Int32) -> StoreError {
        var error = StoreError(
            .inputOutput,
            "The WAL could not be synced, so what was committed may not survive a loss of power. Close the store and open it again.",
            backendCode: Int(code))
        error.endsDurability = true
        return error
    }
}
