import CSkiathosFiles
import SkiathosPlatformLibC
import SkiathosStore

/// The system calls about paths.
///
/// The one file here that imports its library.
///
/// None of them opens the files of a store: closing any descriptor of them would release the
/// locks that SQLite holds for the whole process. Status calls by path are safe.
enum SystemCalls {
    /// The status of a file at a path.
    struct FileStatus: Equatable {
        var isRegularFile: Bool
        var isDirectory: Bool
        var isSymbolicLink: Bool
        var size: Int64
        var device: UInt64
        var inode: UInt64
        /// How many names the file has.
        var linkCount: UInt64

        init(_ status: stat) {
            let kind = status.st_mode & S_IFMT
            isRegularFile = kind == S_IFREG
            isDirectory = kind == S_IFDIR
            isSymbolicLink = kind == S_IFLNK
            size = Int64(status.st_size)
            device = UInt64(truncatingIfNeeded: status.st_dev)
            inode = UInt64(truncatingIfNeeded: status.st_ino)
            linkCount = UInt64(status.st_nlink)
        }

        /// Whether both are of one file.
        func isSameFile(as other: Self) -> Bool {
            inode == other.inode && device == other.device
        }
    }

    /// A failed call.
    struct Failure: Error, CustomStringConvertible {
        let number: Int32
        var description: String {
            strerror(number).map { String(cString: $0) } ?? "error \(number)"
        }
        var isMissing: Bool { number == ENOENT || number == ENOTDIR }
        /// Whether the path has something else than a file that can be opened for writing,
        /// such as a directory, or a symbolic link that is not followed.
        var isOtherKind: Bool { number == ELOOP || number == EISDIR || number == ENXIO }
        /// Whether the file system has no such operation.
        var isUnsupported: Bool { number == EINVAL || number == ENOTSUP }
    }

    /// The time since some moment, in milliseconds, to within a few.
    ///
    /// Reading the exact clock costs several times as much.
    static var coarseMilliseconds: Int { Int(coarseNanoseconds() / 1_000_000) }

    /// The status of what a path leads to, or `nil` if there is nothing.
    static func status(of path: String) throws(Failure) -> FileStatus? {
        var status = stat()
        if stat(path, &status) == 0 { return FileStatus(status) }
        let failure = Failure(number: errno)
        if failure.isMissing { return nil }
        throw failure
    }

    /// The status of what lies at a path itself, such as a symbolic link, or `nil` if there is nothing.
    static func ownStatus(of path: String) throws(Failure) -> FileStatus? {
        var status = stat()
        if lstat(path, &status) == 0 { return FileStatus(status) }
        let failure = Failure(number: errno)
        if failure.isMissing { return nil }
        throw failure
    }

    /// The status of an open file.
    static func status(ofDescriptor descriptor: Int32) throws(Failure) -> FileStatus {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw Failure(number: errno) }
        return FileStatus(status)
    }

    /// The absolute path without symbolic links, or `nil` if there is nothing at the path.
    static func resolved(_ path: String) throws(Failure) -> String? {
        guard let resolved = realpath(path, nil) else {
            let failure = Failure(number: errno)
            if failure.isMissing { return nil }
            throw failure
        }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Where a symbolic link leads to, or `nil` if the path is not one.
    static func linkTarget(of path: String) -> String? {
        let capacity = Int(PATH_MAX)
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: capacity) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(path, start, capacity)
            guard count > 0 else { return nil }
            return String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self)
        }
    }

    /// Whether this process may read, and if requested also write, the file at a path.
    static func isAccessible(_ path: String, forWriting: Bool) throws(Failure) -> Bool {
        try isPermitted(path, forWriting ? R_OK | W_OK : R_OK)
    }

    /// Whether this process may add files to a directory.
    static func isWritableDirectory(in directory: String) throws(Failure) -> Bool {
        try isPermitted(directory, W_OK | X_OK)
    }

    private static func isPermitted(_ path: String, _ mode: Int32) throws(Failure) -> Bool {
        if access(path, mode) == 0 { return true }
        let failure = Failure(number: errno)
        if failure.code == .notPermitted || failure.isMissing { return false }
        throw failure
    }

    /// How many bytes of the file system at a path this process may still use; `nil` where the
    /// system does not say.
    static func freeSpace(at path: String) -> Int? {
        let count = skiathos_free_space(path)
        return count < 0 ? nil : Int(clamping: count)
    }

    /// The name of the file system that an absolute path without links lies on, if another machine
    /// or program serves it.
    static func remoteFileSystem(at path: String) throws(Failure) -> String? {
        #if canImport(Darwin)
        var info = statfs()
        guard statfs(path, &info) == 0 else { throw Failure(number: errno) }
        guard info.f_flags & UInt32(MNT_LOCAL) == 0 else { return nil }
        return withUnsafeBytes(of: info.f_fstypename) { bytes in
            String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        #else
        // Swift's view of the C library lacks statfs(2). Without /proc the type is unknown,
        // and nothing is refused.
        guard let table = readFile("/proc/self/mountinfo"),
            let type = MountTable(table).type(at: path), MountTable.isRemote(type)
        else { return nil }
        return type
        #endif
    }

    /// The content of a file of the system.
    ///
    /// Not for files of a store: see above.
    private static func readFile(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { closeFile(descriptor) }
        var content: [UInt8] = []
        while true {
            let count = withUnsafeTemporaryAllocation(byteCount: 1 << 14, alignment: 1) { buffer in
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                content.append(contentsOf: UnsafeRawBufferPointer(buffer)[..<max(0, count)])
                return count
            }
            if count == 0 { return String(decoding: content, as: UTF8.self) }
            if count < 0, errno != EINTR { return nil }
        }
    }

    /// Sleeps for a short time.
    static func pause(milliseconds: UInt32) { usleep(milliseconds * 1_000) }

    /// The ID of this process.
    static var processID: Int32 { getpid() }

    /// Identifies the boot of the machine; `nil` where the system does not say.
    static var bootID: String? {
        readFile("/proc/sys/kernel/random/boot_id").map { text in
            String(text.prefix { !$0.isWhitespace })
        }
    }

    /// The first bytes of a file that lies beside a store, unless this process has it open: closing
    /// another descriptor of it would drop the locks that the process has on it.
    ///
    /// - Returns: `nil` also if this is unknown.
    static func readUnlessOpen(_ path: String, count: Int) -> [UInt8]? {
        guard let status = try? status(of: path), status.isRegularFile, status.size >= count,
            let isOpen = isOpen(status), !isOpen
        else { return nil }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { closeFile(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let length = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, count, 0) }
        return length == count ? bytes : nil
    }

    /// Whether a descriptor of this process leads to a file; `nil` if this is unknown.
    private static func isOpen(_ file: FileStatus) -> Bool? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        while let entry = readdir(directory) {
            guard let descriptor = Int32(name(of: entry)),
                let other = try? status(ofDescriptor: descriptor)
            else { continue }
            if other.isSameFile(as: file) { return true }
        }
        return false
    }

    /// The name in an entry of a directory.
    ///
    /// An entry is as long as its name, so the array of the C type, which has room for the longest
    /// name, may reach beyond memory that can be read.
    ///
    /// - Parameter entry: Valid until the directory is read again.
    static func name(of entry: UnsafePointer<dirent>) -> String {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else {
            preconditionFailure(
                "A directory entry of the C library has its name at no fixed place.")
        }
        let start = UnsafeRawPointer(entry) + offset
        return String(cString: start.assumingMemoryBound(to: CChar.self))
    }

    /// Closes a file, which also releases its lock.
    static func closeFile(_ descriptor: Int32) {
        // A failing close has released the descriptor all the same, and nothing was buffered.
        _ = close(descriptor)
    }

    /// Makes an empty file that is to hold what another one holds: with its mode, and as far as this
    /// process may, its group and owner.
    ///
    /// - Parameter other: The other file; the mode of a new store for none.
    static func createFile(_ path: String, like other: String?) throws(Failure) {
        var model = stat()
        if let other, stat(other, &model) != 0 { throw Failure(number: errno) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        // The umask applies to what is not copied alone. SQLite makes new files with the latter mode.
        let descriptor = open(path, flags, other == nil ? 0o644 : 0o600)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        defer { closeFile(descriptor) }
        guard other != nil else { return }
        var mode = model.st_mode & 0o777
        if geteuid() == 0 {
            guard fchown(descriptor, model.st_uid, model.st_gid) == 0 else {
                throw Failure(number: errno)
            }
        } else if fchown(descriptor, uid_t.max, model.st_gid) != 0 {
            // What the group of the other file may do, this one's must not.
            mode &= ~0o070
        }
        guard fchmod(descriptor, mode) == 0 else { throw Failure(number: errno) }
    }

    /// Renames a file, or returns `false` if the new name exists.
    static func rename(_ path: String, toUnused name: String) throws(Failure) -> Bool {
        switch skiathos_rename_exclusively(path, name) {
        case 0: return true
        case EEXIST: return false
        case EINVAL, ENOSYS, ENOTSUP: return try moveByLinking(path, toUnused: name)
        case let number: throw Failure(number: number)
        }
    }

    /// The same in two steps, between which the file has two names.
    private static func moveByLinking(
        _ path: String, toUnused name: String
    ) throws(Failure) -> Bool {
        if link(path, name) != 0 {
            if errno == EEXIST { return false }
            throw Failure(number: errno)
        }
        unlink(path)
        return true
    }

    /// Whether there is a process with a number, as far as this one can see.
    static func isRunning(_ process: Int32) -> Bool { kill(process, 0) == 0 || errno == EPERM }

    /// Makes a directory for this user alone.
    static func makeDirectory(_ path: String) throws(Failure) {
        guard mkdir(path, 0o700) == 0 else { throw Failure(number: errno) }
    }

    /// Renames a file, replacing a file with the new name.
    static func rename(_ path: String, to name: String) throws(Failure) {
        guard SkiathosPlatformLibC.rename(path, name) == 0 else { throw Failure(number: errno) }
    }

    /// Removes a name of a file, which is deleted with its last name.
    static func unlink(_ path: String) {
        // A file that remains, or never existed, does no harm.
        _ = SkiathosPlatformLibC.unlink(path)
    }

    /// Syncs the names in a directory to the disk, where the file system and this process can.
    static func syncDirectory(_ path: String) throws(Failure) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            // It may be used without being read.
            if errno == EACCES { return }
            throw Failure(number: errno)
        }
        defer { closeFile(descriptor) }
        do { try syncFile(descriptor) } catch { guard error.isUnsupported else { throw error } }
    }
}
