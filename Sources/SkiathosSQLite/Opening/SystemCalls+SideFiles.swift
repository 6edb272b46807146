import SkiathosPlatformLibC

/// The system calls about files that lie beside a store and are none of SQLite's: no lock of SQLite is
/// on them, so they may be opened and closed at any time.
extension SystemCalls {
    /// Opens a file beside the store for reading and writing, creating it if needed; not inherited by
    /// programs that this process starts.
    ///
    /// A symbolic link is not followed: it could lead to any file of the user.
    ///
    /// - Parameter model: The file whose permissions a new file gets; those of a new store without
    ///   one.
    static func openSideFile(_ path: String, like model: String?) throws(Failure) -> Int32 {
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

    /// Reads bytes of a file, by default from its start; fewer at its end.
    static func readBytes(
        _ limit: Int, from descriptor: Int32, at offset: Int64 = 0
    ) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let number = bytes.withUnsafeMutableBytes { buffer in
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
                return pread(descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(count))
            }
            if number == 0 { break }
            if number > 0 {
                count += number
            } else if errno != EINTR {
                throw Failure(number: errno)
            }
        }
        bytes.removeLast(limit - count)
        return bytes
    }

    /// Writes bytes at an offset of a file.
    static func writeBytes(
        _ bytes: [UInt8], to descriptor: Int32, at offset: Int64
    ) throws(Failure) {
        var count = 0
        while count < bytes.count {
            let number = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[count...])
                return pwrite(
                    descriptor, rest.baseAddress, rest.count, off_t(offset) + off_t(count))
            }
            if number >= 0 {
                count += number
            } else if errno != EINTR {
                throw Failure(number: errno)
            }
        }
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
        try writeBytes(bytes, to: descriptor, at: 0)
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
