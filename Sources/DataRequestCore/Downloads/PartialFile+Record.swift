#if RequestCore
import SkiathosPlatformFoundation
import SkiathosPlatformLibC

extension PartialFile {
    /// Opens a file that is not locked, and locks it; blocks.
    static func lockedFile(_ path: String) throws -> Int32 {
        do {
            while true {
                let descriptor = try system {
                    openFile(path, O_RDWR | O_CREAT | O_NONBLOCK)
                }
                guard try lock(descriptor) else {
                    closeFile(descriptor)
                    throw DataRequestError(
                        .destinationInUse, "Another download is writing to the same destination.")
                }
                // A partial file of an earlier version may be accessible to others. The
                // process that held the lock before may have just moved the file away.
                if isSame(descriptor, path) {
                    _ = fchmod(descriptor, 0o600)
                    return descriptor
                }
                closeFile(descriptor)
            }
        } catch let failure as SystemFailure {
            throw DataRequestError.download(failure, "open the partial file")
        }
    }

    private static func lock(_ descriptor: Int32) throws -> Bool {
        do {
            try system { flock(descriptor, LOCK_EX | LOCK_NB) }
            return true
        } catch let failure as SystemFailure where failure.code == EWOULDBLOCK {
            return false
        } catch {
            closeFile(descriptor)
            throw error
        }
    }

    private static func isSame(_ descriptor: Int32, _ path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    static func size(of descriptor: Int32) throws -> Int64 {
        var status = stat()
        try system { fstat(descriptor, &status) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemFailure(EINVAL) }
        return Int64(status.st_size)
    }

    /// The record beside the file, if it vouches for the bytes of the file; blocks.
    func usableRecord(_ source: String, size: Int64) -> ResumeRecord? {
        guard options.resumes, let file = try? ReadableFile(path: paths.record),
            file.version.size <= 64 << 10,
            let data = try? file.read(at: 0, upTo: Int(file.version.size)),
            let record = try? JSONDecoder().decode(ResumeRecord.self, from: data),
            record.format == 1, record.source == source, size <= record.total ?? .max,
            // After a crash of the system, a file may have its size but not all its bytes.
            record.run == SystemRun.current || size <= record.synced
        else { return nil }
        return record
    }

    /// Writes the record beside the file atomically; blocks.
    func write(_ record: ResumeRecord) throws {
        let temporary = paths.record + "-new"
        let data = try JSONEncoder().encode(record)
        let descriptor = try system {
            openFile(temporary, O_WRONLY | O_CREAT | O_TRUNC)
        }
        defer { closeFile(descriptor) }
        let count = try data.withUnsafeBytes { buffer in
            try system { writeFile(descriptor, buffer) }
        }
        guard count == data.count else { throw SystemFailure(ENOSPC) }
        try system { fsync(descriptor) }
        try system { rename(temporary, paths.record) }
    }

    func removeIfThere(_ path: String) throws {
        do { try system { unlink(path) } } catch let failure as SystemFailure
            where failure.isMissing
        {}
    }
}
#endif
