#if RequestCore
import SkiathosPlatformFoundation
import SkiathosPlatformLibC

/// A regular file that is open for reading.
final class ReadableFile: Sendable {
    /// Why a path is not a file that can be sent.
    enum Refusal: Error { case missing, directory, special, unreadable(SystemFailure) }

    /// Identifies one version of a file.
    struct Version: Sendable, Equatable {
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    private let descriptor: Int32
    /// The version of the file when it was opened.
    let version: Version

    /// Opens a file; blocks.
    init(path: String) throws(Refusal) {
        // Without O_NONBLOCK, opening a pipe waits for a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            let failure = SystemFailure()
            throw failure.isMissing ? .missing : .unreadable(failure)
        }
        do throws(Refusal) {
            version = try Self.version(of: descriptor)
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The current version of the file.
    func currentVersion() throws(Refusal) -> Version { try Self.version(of: descriptor) }

    /// Up to `count` bytes from an offset on, none at the end; blocks.
    func read(at offset: Int64, upTo count: Int) throws -> Data {
        var data = Data(count: count)
        let size = try data.withUnsafeMutableBytes { buffer in
            try system { pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset)) }
        }
        data.count = size
        return data
    }

    private static func version(of descriptor: Int32) throws(Refusal) -> Version {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(SystemFailure()) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: break
        case S_IFDIR: throw .directory
        default: throw .special
        }
        let time = status.modificationTime
        return Version(size: Int64(status.st_size), seconds: time.tv_sec, nanoseconds: time.tv_nsec)
    }
}
#endif
