#if RequestCore
import SkiathosLocks
import SkiathosPlatformFoundation
import SkiathosPlatformLibC
import Synchronization
import Testing

@testable import DataRequestCore

/// The permissions of the files that a download makes.
struct DownloadModeTests {
    private static func mode(_ url: URL) -> mode_t? {
        var status = stat()
        return lstat(url.path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    /// What the umask leaves of a new file's mode.
    private static func mode(ofNewFileBeside url: URL) throws -> mode_t? {
        let other = URL(fileURLWithPath: url.path + ".new")
        let descriptor = open(other.path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
        try #require(descriptor >= 0)
        close(descriptor)
        defer { unlink(other.path) }
        return mode(other)
    }

    @Test(arguments: [nil, 0o600, 0o640, 0o644, 0o660, 0o666] as [mode_t?])
    func `a part file is for its owner alone, and the file has the mode of the one it replaces`(
        replaced: mode_t?
    ) async throws {
        try await withDownload { fixture in
            if let replaced {
                try Data("old".utf8).write(to: fixture.file)
                try #require(chmod(fixture.file.path, replaced) == 0)
            }
            let partial = fixture.partial
            let record = URL(fileURLWithPath: fixture.file.path + ".part-info")
            let modes = Lock<Set<mode_t>>([])
            var options = DownloadOptions()
            options.onStep = { step in
                guard step != .clean, step != .syncDirectory else { return }
                for file in [partial, record] {
                    if let mode = Self.mode(file) { modes.withLock { _ = $0.insert(mode) } }
                }
            }
            _ = try await fixture.download(options: options)
            #expect(modes.withLock { $0 } == [0o600])
            let wanted = try replaced ?? Self.mode(ofNewFileBeside: fixture.file)
            #expect(Self.mode(fixture.file) == wanted)
            #expect(fixture.names == ["score.pdf"])
        }
    }

    @Test func `a part file of an earlier version is made private before it is resumed`()
        async throws
    {
        try await withDownload { fixture in
            try Data().write(to: fixture.partial)
            try #require(chmod(fixture.partial.path, 0o644) == 0)
            let modes = Lock<Set<mode_t>>([])
            let partial = fixture.partial
            var options = DownloadOptions()
            options.onStep = { step in
                guard step == .write else { return }
                if let mode = Self.mode(partial) { modes.withLock { _ = $0.insert(mode) } }
            }
            _ = try await fixture.download(options: options)
            #expect(modes.withLock { $0 } == [0o600])
        }
    }
}
#endif
