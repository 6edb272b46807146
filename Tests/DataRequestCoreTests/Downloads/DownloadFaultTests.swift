#if RequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import SkiathosPlatformLibC
import Synchronization
import Testing

@testable import DataRequestCore

struct DownloadFaultTests {
    @Test func `a full disk gives a clear error and keeps the bytes that fit`() async throws {
        try await withDownload { fixture in
            var options = DownloadOptions()
            let count = Lock(0)
            options.onStep = { step in
                guard step == .write else { return }
                let isFull = count.withLock { count in
                    count += 1
                    return count > 3
                }
                if isFull { throw SystemFailure(ENOSPC) }
            }
            let error = await failure { try await fixture.download(options: options) }
            #expect(error?.code == .noSpace)
            #expect(fixture.saved == nil)
            let kept = try Data(contentsOf: fixture.partial)
            #expect(kept == fixture.bytes.prefix(120_000))
            let result = try await fixture.download()
            #expect(result.resumedFrom == 120_000)
            #expect(fixture.saved == fixture.bytes)
        }
    }

    @Test(arguments: [DownloadOptions.Step.open, .truncate, .record, .write, .sync, .move])
    func `a step that the system refuses leaves the destination as it was`(
        step: DownloadOptions.Step
    ) async throws {
        try await withDownload { fixture in
            try Data("old".utf8).write(to: fixture.file)
            var options = DownloadOptions()
            options.onStep = { if $0 == step { throw SystemFailure(EIO) } }
            do {
                _ = try await fixture.download(options: options)
                Issue.record("No error")
            } catch {
                #expect(step == .open || (error as? DataRequestError)?.code == .fileFailed)
            }
            #expect(fixture.saved == Data("old".utf8))
            _ = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.names == ["score.pdf"])
        }
    }

    @Test func `a process killed before any step leaves a destination that is whole`() async throws
    {
        try await withDownload { fixture in
            let old = Data("old".utf8)
            try old.write(to: fixture.file)
            let states = fixture.directory.appending(path: "states")
            try FileManager.default.createDirectory(at: states, withIntermediateDirectories: true)
            let count = Lock(0)
            var options = DownloadOptions()
            options.onStep = { _ in
                let index = count.withLock { count in
                    count += 1
                    return count
                }
                // What a process would leave that is killed here.
                try Self.copy(fixture, to: states.appending(path: "\(index)"))
            }
            fixture.server.configure { $0.breaks = [100_000] }
            _ = try await fixture.download(options: options)
            let steps = count.withLock { $0 }
            #expect(steps > 12)
            for index in 1...steps {
                let left = try DownloadFixture(states.appending(path: "\(index)"))
                #expect(left.saved == old || left.saved == fixture.bytes)
                _ = try await left.download()
                #expect(left.saved == fixture.bytes)
                #expect(left.names == ["score.pdf"])
            }
        }
    }

    private static func copy(_ fixture: DownloadFixture, to directory: URL) throws {
        let manager = FileManager.default
        try manager.createDirectory(at: directory, withIntermediateDirectories: true)
        for name in fixture.names where name != "states" {
            try Data(contentsOf: fixture.directory.appending(path: name))
                .write(to: directory.appending(path: name))
        }
    }

    @Test func `only synced bytes are trusted after a restart of the system`() async throws {
        try await withDownload { fixture in
            fixture.server.configure { $0.breaks = [100_000, 100_000] }
            var options = DownloadOptions()
            options.maximumResumptions = 0
            _ = await failure { try await fixture.download(options: options) }
            let file = fixture.directory.appending(path: "score.pdf.part-info")
            var record = try JSONDecoder().decode(
                ResumeRecord.self, from: try Data(contentsOf: file))
            #expect(record.synced == 100_000)
            record.run = "another"
            try JSONEncoder().encode(record).write(to: file)
            _ = await failure { try await fixture.download(options: options) }
            #expect(fixture.server.asked == ["all", "bytes=100000-"])
            record.synced = 99_999
            try JSONEncoder().encode(record).write(to: file)
            _ = try await fixture.download()
            #expect(fixture.server.asked == ["all", "bytes=100000-", "all"])
            #expect(fixture.saved == fixture.bytes)
        }
    }
}
#endif
