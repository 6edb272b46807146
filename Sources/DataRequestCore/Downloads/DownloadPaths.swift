#if RequestCore
import SkiathosPlatformFoundation
import SkiathosPlatformLibC

/// The files of a download: the destination, the partial file, and its resume record.
struct DownloadPaths: Sendable {
    let destination: String
    let directory: String
    let partial: String
    let record: String

    init(_ url: URL) throws {
        guard url.isFileURL, !url.lastPathComponent.isEmpty, url.lastPathComponent != "/" else {
            throw DataRequestError(
                .invalidDownload, "The destination is not the address of a file.")
        }
        destination = url.path
        directory = url.deletingLastPathComponent().path
        partial = destination + ".part-data"
        record = destination + ".part-info"
    }

    /// Refuses a destination that cannot be written; blocks.
    func check(_ existing: DownloadOptions.Existing) throws {
        var status = stat()
        guard lstat(destination, &status) == 0 else {
            let failure = SystemFailure()
            if failure.code == ENOENT { return }
            throw DataRequestError.download(failure, "inspect the destination")
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw DataRequestError(
                .invalidDownload, "The destination is a directory. Name a file in it.")
        }
        if existing == .refuse { throw Self.exists }
    }

    static let exists = DataRequestError(
        .destinationExists,
        "There is a file at the destination already. Remove it, or allow that it is replaced.")

    /// The bytes that can still be written in the directory; blocks.
    func freeSpace() throws -> Int64 {
        var status = statvfs()
        try system { statvfs(directory, &status) }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// Syncs the directory, so that a rename in it survives a loss of power; blocks.
    func syncDirectory() throws {
        let descriptor = try system { open(directory, O_RDONLY | O_CLOEXEC) }
        defer { close(descriptor) }
        try system { fsync(descriptor) }
    }
}
#endif
