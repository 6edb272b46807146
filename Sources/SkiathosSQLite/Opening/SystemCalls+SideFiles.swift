import SkiathosPlatformLibC

/// The system calls about files that lie beside a store and are none of SQLite's: no lock of SQLite is
/// on them, so they may be opened and closed at any time.
extension SystemCalls {
    /// Opens a file beside the store for locking, creating it if needed; not inherited by programs
    /// that this process starts.
    ///
    /// A symbolic link is not followed: it could lead to any file of the user.
    ///
    /// - Parameter model: The file whose permissions a new file gets; those of a new store without
    ///   one.
    static func openLockFile(_ path: String, like model: String?) throws(Failure) -> Int32 {
        do {
            try createFile(path, like: model)
        } catch  where error.number == EEXIST {
            // The lock file of an earlier process, or another file, which the caller checks.
        }
        // Neither waits for a device nor acquires a controlling terminal.
        let descriptor = open(
            path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        return descriptor
    }

    /// Opens a file for reading without waiting for another program, such as the writer of a pipe.
    ///
    /// A symbolic link is not followed.
    static func openForLooking(_ path: String) throws(Failure) -> Int32 {
        let descriptor = open(
            path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { throw Failure(number: errno) }
        return descriptor
    }

    /// Reads the start of a file.
    static func readStart(of descriptor: Int32, upTo limit: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let read = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor,
                    UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                        .baseAddress, limit - count, off_t(count))
            }
            if read == 0 { break }
            if read > 0 { count += read } else if errno != EINTR { throw Failure(number: errno) }
        }
        bytes.removeLast(limit - count)
        return bytes
    }

    /// Removes a name of a file, unless it is that of another file by now.
    static func unlink(_ path: String, ifOf file: FileStatus) {
        guard let present = try? ownStatus(of: path), present.isSameFile(as: file) else { return }
        unlink(path)
    }

    /// Locks an open file for this descriptor alone, or returns `false` if another one has it.
    static func tryLock(_ descriptor: Int32) throws(Failure) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return false
            default: throw Failure(number: errno)
            }
        }
        return true
    }

    /// Releases the lock of a descriptor.
    ///
    /// Closing alone is not enough: the lock lasts as long as any copy of the descriptor, and
    /// a process that is being started has copies of all until it runs its own program.
    static func unlock(_ descriptor: Int32) {
        // Fails only for a descriptor that is not open.
        _ = flock(descriptor, LOCK_UN)
    }

    /// Writes a short text as the content of a file.
    ///
    /// The file is not truncated before: it would get other blocks of the disk, of which a loss of power
    /// may leave the old content.
    static func writeText(_ text: String, to descriptor: Int32) throws(Failure) {
        let bytes = Array(text.utf8)
        while pwrite(descriptor, bytes, bytes.count, 0) != bytes.count {
            guard errno == EINTR else { throw Failure(number: errno) }
        }
        while ftruncate(descriptor, off_t(bytes.count)) != 0 {
            guard errno == EINTR else { throw Failure(number: errno) }
        }
    }

    /// Syncs the content of a file to the disk.
    static func syncFile(_ descriptor: Int32) throws(Failure) {
        while fsync(descriptor) != 0 {
            guard errno == EINTR else { throw Failure(number: errno) }
        }
    }
}
