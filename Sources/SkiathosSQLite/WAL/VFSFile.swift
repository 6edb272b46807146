import GRDBSQLite
import SkiathosPlatformLibC

/// A small file beside a store that is reached through SQLite's file system, so that it gets the
/// permissions of the main file, and tests can put a file system of their own underneath.
///
/// Not `Sendable`: used by one thread at a time.
final class VFSFile {
    /// A failed operation, with SQLite's result code.
    struct Failure: Error {
        let code: Int32
    }

    private let vfs: UnsafeMutablePointer<sqlite3_vfs>
    private let file: UnsafeMutablePointer<sqlite3_file>
    /// SQLite keeps the pointer for as long as the file is open.
    private let path: UnsafeMutablePointer<CChar>
    /// The file that was opened; `nil` if it was removed at once.
    private let status: SystemCalls.FileStatus?

    /// Opens a file that is ours.
    ///
    /// SQLite derives the permissions from the main file, whose name is that of this file up to its
    /// last hyphen, as it does for a WAL.
    ///
    /// - Parameters:
    ///   - creates: Whether the file is created if it is not there, and may be written.
    ///   - isNew: Whether it must not be there.
    /// - Throws: ``Failure`` with the code `SQLITE_CANTOPEN` also for a file of another program.
    convenience init(_ side: SideFile, creates: Bool, isNew: Bool = false) throws(Failure) {
        // SQLite would follow a link, and wait for the other end of a pipe.
        switch try? side.find() {
        case .ours?, .missing?: break
        case .strange?, nil: throw Failure(code: SQLITE_CANTOPEN)
        }
        var access = creates ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY
        if isNew { access |= SQLITE_OPEN_EXCLUSIVE }
        try self.init(side.path, access | SQLITE_OPEN_WAL, isNew: isNew)
    }

    /// Opens the main file of a store for reading.
    ///
    /// SQLite knows of its file object, so closing it releases no lock of a connection.
    convenience init(main path: StorePath) throws(Failure) {
        try self.init(path.file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, isNew: false)
    }

    private init(_ name: String, _ flags: Int32, isNew: Bool) throws(Failure) {
        guard let vfs = sqlite3_vfs_find(nil), let open = vfs.pointee.xOpen,
            let path = strdup(name)
        else { throw Failure(code: SQLITE_NOMEM) }
        let size = Int(vfs.pointee.szOsFile)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: size, alignment: MemoryLayout<Int>.alignment)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        let file = memory.bindMemory(to: sqlite3_file.self, capacity: 1)
        var granted: Int32 = 0
        var code = open(vfs, path, file, flags, &granted)
        // Where a file is that may not be, SQLite opens it for reading instead.
        if code == SQLITE_OK, isNew, granted & SQLITE_OPEN_READWRITE == 0 { code = SQLITE_CANTOPEN }
        guard code == SQLITE_OK else {
            // A file that was opened in part has methods, and must be closed.
            if let methods = file.pointee.pMethods { _ = methods.pointee.xClose?(file) }
            memory.deallocate()
            free(path)
            throw Failure(code: code)
        }
        self.vfs = vfs
        self.file = file
        self.path = path
        status = try? SystemCalls.ownStatus(of: name)
    }

    deinit {
        // Nothing was buffered.
        _ = file.pointee.pMethods?.pointee.xClose?(file)
        UnsafeMutableRawPointer(file).deallocate()
        free(path)
    }

    /// Reads bytes, by default from the beginning; those after the end of the file are zeros.
    func read(_ count: Int, at offset: Int64 = 0) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        guard let read = file.pointee.pMethods?.pointee.xRead else { return bytes }
        let code = bytes.withUnsafeMutableBytes {
            read(file, $0.baseAddress, Int32(count), offset)
        }
        guard code == SQLITE_OK || code == ResultCodes.shortRead else { throw Failure(code: code) }
        return bytes
    }

    /// Reads bytes into a buffer; returns how many the file has.
    func read(_ offset: Int64, _ buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
        guard let methods = file.pointee.pMethods?.pointee, let read = methods.xRead else {
            return 0
        }
        let code = read(file, buffer.baseAddress, Int32(buffer.count), offset)
        guard code == SQLITE_OK || code == ResultCodes.shortRead else { throw Failure(code: code) }
        guard code == ResultCodes.shortRead else { return buffer.count }
        var size: Int64 = 0
        _ = methods.xFileSize?(file, &size)
        return Int(clamping: min(max(0, size - offset), Int64(buffer.count)))
    }

    /// Writes bytes, by default at the beginning.
    func write(_ bytes: [UInt8], at offset: Int = 0) throws(Failure) {
        guard let write = file.pointee.pMethods?.pointee.xWrite else { return }
        let code = bytes.withUnsafeBytes {
            write(file, $0.baseAddress, Int32($0.count), Int64(offset))
        }
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }

    /// Truncates the file.
    func truncate(to size: Int) throws(Failure) {
        guard let truncate = file.pointee.pMethods?.pointee.xTruncate else { return }
        let code = truncate(file, Int64(size))
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }

    /// Syncs earlier writes to the disk.
    func sync() throws(Failure) {
        guard let sync = file.pointee.pMethods?.pointee.xSync else { return }
        let code = sync(file, SQLITE_SYNC_FULL)
        guard code == SQLITE_OK else { throw Failure(code: code) }
    }

    /// Removes the name of the file, unless another program has given it to another file.
    func remove() {
        guard let status, let present = try? SystemCalls.ownStatus(of: String(cString: path)),
            present.isSameFile(as: status)
        else { return }
        // A file that remains is read and reused by the next opening.
        _ = vfs.pointee.xDelete?(vfs, path, 0)
    }
}

/// Extended result codes of SQLite, whose macros the importer does not see since they contain a
/// shift.
enum ResultCodes {
    static let shortRead = SQLITE_IOERR | 2 << 8
    static let failedSync = SQLITE_IOERR | 4 << 8
    static let failedDirectorySync = SQLITE_IOERR | 5 << 8
    /// Of operations that need room on the disk, and that may fail for other reasons: a write, and three
    /// that make the index of a WAL (`_WRITE`, `_SHMOPEN`, `_SHMSIZE`, `_SHMMAP`).
    static let failedGrowth: [Int32] = [
        SQLITE_IOERR | 3 << 8, SQLITE_IOERR | 18 << 8, SQLITE_IOERR | 19 << 8,
        SQLITE_IOERR | 21 << 8,
    ]
}
