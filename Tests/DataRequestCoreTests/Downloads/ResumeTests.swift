#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import Testing

struct ResumeTests {
    private func interrupted(_ fixture: DownloadFixture, at bytes: Int) async throws {
        fixture.server.configure { $0.breaks = [bytes] }
        var options = DownloadOptions()
        options.maximumResumptions = 0
        let error = await failure { try await fixture.download(options: options) }
        #expect(error?.code == .connectionLost)
        #expect(try Data(contentsOf: fixture.partial) == fixture.bytes.prefix(bytes))
        #expect(fixture.saved == nil)
    }

    @Test func `an interrupted transfer is resumed in the same call`() async throws {
        try await withDownload { fixture in
            fixture.server.configure { $0.breaks = [100_000, 1, 0, 50_000] }
            let result = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(
                fixture.server.asked == [
                    "all", "bytes=100000-", "bytes=100001-", "bytes=100001-", "bytes=150001-",
                ])
            #expect(result.resumedFrom == 0)
            #expect(fixture.names == ["score.pdf"])
        }
    }

    @Test(arguments: [nil, HTTPResponse.Status.badGateway, .serviceUnavailable])
    func `an interrupted transfer is resumed when the server is back`(
        stand: HTTPResponse.Status?
    ) async throws {
        try await withDownload { fixture in
            fixture.server.configure {
                $0.breaks = [100_000]
                // Each call sends a request three times.
                ($0.absences, $0.stand) = (12, stand)
            }
            let result = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.server.asked == ["all", "bytes=100000-"])
            #expect(result.resumedFrom == 0)
        }
    }

    @Test func `an unreachable server ends a transfer after the documented resumptions`()
        async throws
    {
        try await withDownload { fixture in
            fixture.server.configure { ($0.breaks, $0.absences) = ([100_000], 1_000) }
            let error = await failure { try await fixture.download() }
            #expect(error?.code == .connectionFailed)
            let attempts = 5 * 3
            let left = fixture.server.state.withLock { $0.absences }
            #expect(left == 1_000 - attempts)
            let partial = try Data(contentsOf: fixture.partial)
            #expect(partial == fixture.bytes.prefix(100_000))
        }
    }

    @Test func `a server that was never reachable ends a download like any call`() async throws {
        try await withDownload { fixture in
            fixture.server.configure { $0.absences = 1_000 }
            let error = await failure { try await fixture.download() }
            #expect(error?.code == .connectionFailed)
            #expect(fixture.server.state.withLock { $0.absences } == 1_000 - 3)
        }
    }

    @Test func `an interrupted transfer is resumed in a later call`() async throws {
        try await withDownload { fixture in
            try await interrupted(fixture, at: 123_456)
            let reports = Lock<[Int64]>([])
            let result = try await fixture.download { report in
                reports.withLock { $0.append(report.received) }
            }
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.server.asked == ["all", "bytes=123456-"])
            #expect(result.resumedFrom == 123_456)
            #expect(result.head.status == .partialContent)
            #expect(reports.withLock { $0.allSatisfy { $0 > 123_456 } && $0.last == 300_000 })
            let request = fixture.server.state.withLock { $0.requests[1] }
            #expect(request.headers[.ifRange] == "\"v1\"")
        }
    }

    @Test func `Last-Modified is the validator where there is no ETag`() async throws {
        try await withDownload { fixture in
            fixture.server.configure {
                $0.tag = nil
                $0.changed = "Mon, 31 Dec 2029 23:00:00 GMT"
            }
            try await interrupted(fixture, at: 100_000)
            _ = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.server.asked == ["all", "bytes=100000-"])
        }
    }

    @Test(arguments: [
        ("W/\"v1\"", nil), (nil, nil), ("W/\"v1\"", "Mon, 31 Dec 2029 23:00:00 GMT"), ("v1", nil),
        // Changed in the second of the answer.
        (nil, "Tue, 01 Jan 2030 00:00:00 GMT"), (nil, "yesterday"),
    ])
    func `a file without a strong validator is downloaded again`(
        tag: String?, changed: String?
    )
        async throws
    {
        try await withDownload { fixture in
            fixture.server.configure {
                $0.tag = tag
                $0.changed = changed
                $0.breaks = [100_000]
            }
            _ = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.server.asked == ["all", "all"])
        }
    }

    @Test func `a file that has changed meanwhile is downloaded again`() async throws {
        try await withDownload { fixture in
            try await interrupted(fixture, at: 100_000)
            let new = Data(repeating: 7, count: 150_000)
            fixture.server.configure {
                $0.data = new
                $0.tag = "\"v2\""
            }
            let result = try await fixture.download()
            #expect(fixture.saved == new)
            #expect(fixture.server.asked == ["all", "bytes=100000-"])
            #expect(result.resumedFrom == 0)
            #expect(result.head.status == .ok)
        }
    }

    @Test func `a server without ranges sends the whole file again`() async throws {
        try await withDownload { fixture in
            try await interrupted(fixture, at: 100_000)
            fixture.server.configure { $0.hasRanges = false }
            _ = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.server.asked == ["all", "bytes=100000-"])
        }
    }

    @Test(arguments: [
        "bytes 99999-299999/300000", "bytes 100001-299999/300000", "bytes 100000-299999/300001",
        "bytes 100000-99999/300000", "bytes */300000", "items 1-2/3", "bytes 100000-300000/300000",
        "bytes 100000-299999", "bytes -1-2/3", "bytes 100000-99999999999999999999/*",
    ])
    func `a range that does not fit is not appended`(range: String) async throws {
        try await withDownload { fixture in
            try await interrupted(fixture, at: 100_000)
            fixture.server.configure { state in
                state.change = { response in
                    guard response.status == .partialContent else { return }
                    response.headers[.contentRange] = range
                }
            }
            _ = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.server.asked == ["all", "bytes=100000-", "all"])
        }
    }

    @Test func `a part of another file is not appended, even if its range fits`() async throws {
        try await withDownload { fixture in
            try await interrupted(fixture, at: 100_000)
            fixture.server.configure { state in
                state.change = { response in
                    guard response.status == .partialContent else { return }
                    response.headers[.eTag] = "\"v2\""
                }
            }
            _ = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.server.asked.last == "all")
        }
    }

    @Test func `a shorter range than requested is resumed at its end`() async throws {
        try await withDownload { fixture in
            try await interrupted(fixture, at: 100_000)
            let bytes = fixture.bytes
            fixture.server.configure { state in
                state.change = { response in
                    guard response.headers[.contentRange] == "bytes 100000-299999/300000" else {
                        return
                    }
                    response.headers[.contentRange] = "bytes 100000-199999/300000"
                    response.body = ByteStream(Data(bytes[100_000..<200_000]))
                }
            }
            _ = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.server.asked == ["all", "bytes=100000-", "bytes=200000-"])
        }
    }

    @Test func `a complete file that was not moved is not requested again`() async throws {
        struct Stop: Error {}
        try await withDownload { fixture in
            var options = DownloadOptions()
            options.onStep = { if $0 == .move { throw Stop() } }
            await #expect(throws: Stop.self) { try await fixture.download(options: options) }
            #expect(fixture.saved == nil)
            let result = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.server.asked == ["all", "bytes=300000-"])
            #expect(result.resumedFrom == 300_000)
            // Another file of the same size, about which a 416 says nothing.
            await #expect(throws: Stop.self) { try await fixture.download(options: options) }
            let new = Data(repeating: 7, count: 300_000)
            fixture.server.configure {
                $0.data = new
                $0.tag = "\"v2\""
            }
            _ = try await fixture.download()
            #expect(fixture.saved == new)
        }
    }

    @Test
    func `an answer without a length that ends is whole, a shorter one than its length is not`()
        async throws
    {
        try await withDownload { fixture in
            fixture.server.configure { $0.saysLength = false }
            _ = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
        }
        try await withDownload { fixture in
            fixture.server.configure { state in
                state.change = { $0.body.length = 300_001 }
            }
            var options = DownloadOptions()
            options.maximumResumptions = 0
            let error = await failure { try await fixture.download(options: options) }
            #expect(error?.code == .connectionLost)
            #expect(fixture.saved == nil)
        }
    }

    @Test func `the result counts the resumptions`() async throws {
        try await withDownload { fixture in
            fixture.server.configure { $0.breaks = Array(repeating: 10, count: 100) }
            let error = await failure { try await fixture.download() }
            #expect(error?.code == .connectionLost)
            #expect(fixture.server.asked.count == 6)
        }
    }

    @Test func `options prevent keeping and resuming a partial file`() async throws {
        try await withDownload { fixture in
            try await interrupted(fixture, at: 100_000)
            var options = DownloadOptions()
            options.resumes = false
            _ = try await fixture.download(options: options)
            #expect(fixture.server.asked == ["all", "all"])
            options.keepsPartialFile = false
            options.maximumResumptions = 0
            fixture.server.configure { $0.breaks = [100_000] }
            _ = await failure { try await fixture.download(options: options) }
            #expect(fixture.names == ["score.pdf"])
        }
    }

    @Test func `a partial file of another address is not resumed`() async throws {
        try await withDownload { fixture in
            try await interrupted(fixture, at: 100_000)
            _ = try await fixture.service.download(
                DataRequest(.get, "score").query("page", "2"), to: fixture.file)
            #expect(fixture.server.asked == ["all", "all"])
        }
    }

    @Test func `the record contains no address, and a damaged record is ignored`() async throws {
        try await withDownload { fixture in
            fixture.server.configure { $0.breaks = [100_000] }
            var options = DownloadOptions()
            options.maximumResumptions = 0
            let request = DataRequest(.get, "secretpath").query("token", "secret")
            _ = await failure {
                try await fixture.service.download(request, to: fixture.file, options: options)
            }
            let record = fixture.directory.appending(path: "score.pdf.part-info")
            let text = String(decoding: try Data(contentsOf: record), as: UTF8.self)
            #expect(!text.contains("secret"))
            try Data("{}".utf8).write(to: record)
            _ = try await fixture.service.download(request, to: fixture.file)
            #expect(fixture.server.asked == ["all", "all"])
            #expect(fixture.saved == fixture.bytes)
        }
    }

    @Test func `cancelling keeps the received bytes`() async throws {
        try await withDownload { fixture in
            let task = Lock<Task<DownloadResult, any Error>?>(nil)
            let (started, go) = AsyncStream<Void>.makeStream()
            let download = Task {
                for await _ in started {}
                return try await fixture.download { _ in task.withLock { $0?.cancel() } }
            }
            task.withLock { $0 = download }
            go.finish()
            await #expect(throws: CancellationError.self) { try await download.value }
            let kept = try Data(contentsOf: fixture.partial)
            #expect(kept.count > 0)
            #expect(kept == fixture.bytes.prefix(kept.count))
            #expect(fixture.saved == nil)
            let result = try await fixture.download()
            #expect(result.resumedFrom == Int64(kept.count))
            #expect(fixture.saved == fixture.bytes)
        }
    }
}
#endif
