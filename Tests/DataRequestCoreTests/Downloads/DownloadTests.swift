#if RequestCore
import DataRequestCore
// For Thread.
import Foundation
import HTTPTypes
import SkiathosLocks
import Synchronization
import Testing

struct DownloadTests {
    @Test(arguments: [0, 1, 32 << 10, 300_000])
    func `a file arrives whole, alone, and with progress`(size: Int) async throws {
        try await withDownload(size: size) { fixture in
            let reports = Lock<[DownloadProgress]>([])
            let result = try await fixture.download { report in
                reports.withLock { $0.append(report) }
            }
            #expect(fixture.saved == fixture.bytes)
            #expect(fixture.names == ["score.pdf"])
            #expect(result.size == Int64(size))
            #expect(result.resumedFrom == 0)
            #expect(result.head.status == .ok)
            let all = reports.withLock { $0 }
            #expect(all.last == DownloadProgress(received: Int64(size), total: Int64(size)))
            #expect(all.filter { $0.received == Int64(size) }.count == 1)
            #expect(all.map(\.received) == all.map(\.received).sorted())
            #expect(fixture.server.asked == ["all"])
            let request = fixture.server.state.withLock { $0.requests[0] }
            #expect(request.headers[.acceptEncoding] == "identity")
        }
    }

    @Test(arguments: [404, 500, 302, 304, 204, 206, 416])
    func `the page of another status is never saved`(code: Int) async throws {
        try await withDownload { fixture in
            try Data("old".utf8).write(to: fixture.file)
            fixture.server.configure { $0.change = { $0.status = .init(code: code) } }
            let any = DataRequest(.get, "x").expecting(.any)
            for request in [DataRequest(.get, "x"), any] {
                let error = await failure {
                    try await fixture.service.download(request, to: fixture.file)
                }
                #expect(error?.code == .unexpectedStatus)
                #expect(error?.status?.code == code)
            }
            #expect(fixture.saved == Data("old".utf8))
            #expect(fixture.names == ["score.pdf"])
        }
    }

    @Test func `a download refuses an unexpected status, even of a success`() async throws {
        try await withDownload { fixture in
            fixture.server.configure { $0.change = { $0.status = .created } }
            let error = await failure {
                try await fixture.service.download(
                    DataRequest(.get, "x").expecting(.ok), to: fixture.file)
            }
            #expect(error?.status == .created)
            #expect(fixture.names == [])
        }
    }

    @Test func `an existing file is replaced in one step or refused`() async throws {
        try await withDownload { fixture in
            try Data("old".utf8).write(to: fixture.file)
            var options = DownloadOptions()
            options.existing = .refuse
            let error = await failure { try await fixture.download(options: options) }
            #expect(error?.code == .destinationExists)
            #expect(fixture.server.asked == [])
            #expect(fixture.saved == Data("old".utf8))
            _ = try await fixture.download()
            #expect(fixture.saved == fixture.bytes)
        }
    }

    @Test func `a file that appears during the download is not replaced if replacing is refused`()
        async throws
    {
        try await withDownload { fixture in
            let file = fixture.file
            var options = DownloadOptions()
            options.existing = .refuse
            options.onStep = { if $0 == .sync { try Data("new".utf8).write(to: file) } }
            let error = await failure { try await fixture.download(options: options) }
            #expect(error?.code == .destinationExists)
            #expect(fixture.saved == Data("new".utf8))
            options.onStep = nil
            try FileManager.default.removeItem(at: file)
            let result = try await fixture.download(options: options)
            #expect(fixture.saved == fixture.bytes)
            #expect(result.head.status == .rangeNotSatisfiable)
            #expect(fixture.names == ["score.pdf"])
        }
    }

    @Test func `an invalid destination is refused before a request is sent`() async throws {
        try await withDownload { fixture in
            let web = try #require(URL(string: "https://example.com/a"))
            let missing = fixture.directory.appending(path: "no/where")
            let expected: [(URL, DataRequestError.Code)] = [
                (fixture.directory, .invalidDownload), (web, .invalidDownload),
                (URL(filePath: "/"), .invalidDownload), (missing, .fileFailed),
            ]
            for (url, code) in expected {
                let error = await failure {
                    try await fixture.service.download(DataRequest(.get, "x"), to: url)
                }
                #expect(error?.code == code)
            }
            let range = DataRequest(.get, "x").header(.range, "bytes=1-")
            let error = await failure {
                try await fixture.service.download(range, to: fixture.file)
            }
            #expect(error?.code == .invalidDownload)
            #expect(fixture.server.asked == [])
            #expect(fixture.names == [])
        }
    }

    @Test func `too little space is detected before a byte is written`() async throws {
        try await withDownload { fixture in
            var options = DownloadOptions()
            options.reservedSpace = 1_000
            options.freeSpace = 300_999
            let error = await failure { try await fixture.download(options: options) }
            #expect(error?.code == .noSpace)
            #expect(fixture.names == [])
            options.freeSpace = 301_000
            _ = try await fixture.download(options: options)
            #expect(fixture.saved == fixture.bytes)
        }
    }

    @Test func `a file that is too large is refused by its length or while it arrives`()
        async throws
    {
        for saysLength in [true, false] {
            try await withDownload { fixture in
                fixture.server.configure { $0.saysLength = saysLength }
                var options = DownloadOptions()
                options.maximumSize = 299_999
                options.keepsPartialFile = false
                let error = await failure { try await fixture.download(options: options) }
                #expect(error?.code == .tooLarge)
                #expect(fixture.names == [])
            }
        }
    }

    @Test func `a finished file can be refused before it is in place`() async throws {
        struct Wrong: Error {}
        try await withDownload { fixture in
            var options = DownloadOptions()
            let bytes = fixture.bytes
            options.verify = { url in
                #expect(try Data(contentsOf: url) == bytes)
                throw Wrong()
            }
            let error = await failure { try await fixture.download(options: options) }
            #expect(error?.code == .unverified)
            #expect(error?.cause is Wrong)
            #expect(fixture.names == [])
        }
    }

    @Test func `two downloads to one destination do not mix`() async throws {
        try await withDownload { fixture in
            let second = Lock<DataRequestError?>(nil)
            let (stream, continuation) = AsyncStream<Void>.makeStream()
            let first = Task {
                try await fixture.service.download(
                    DataRequest(.get, "x"), to: fixture.file,
                    options: {
                        var options = DownloadOptions()
                        options.verify = { _ in
                            let error = await failure { try await fixture.download() }
                            second.withLock { $0 = error }
                            continuation.finish()
                        }
                        return options
                    }())
            }
            for await _ in stream {}
            #expect(second.withLock { $0?.code } == .destinationInUse)
            _ = try await first.value
            #expect(fixture.saved == fixture.bytes)
            _ = try await fixture.download()
        }
    }

    @Test func `the sequence reports the progress and the end`() async throws {
        try await withDownload { fixture in
            var events: [DownloadEvent] = []
            let sequence = fixture.service.downloadEvents(
                DataRequest(.get, "x"), to: fixture.file)
            for try await event in sequence { events.append(event) }
            guard case .finished(let result) = events.last,
                case .progress(let last) = events.dropLast().last
            else {
                Issue.record("The last events are missing.")
                return
            }
            #expect(result.size == 300_000)
            #expect(last.fraction == 1)
            #expect(fixture.saved == fixture.bytes)
            fixture.server.configure { $0.change = { $0.status = .notFound } }
            let error = await failure {
                for try await _ in fixture.service.downloadEvents(
                    DataRequest(.get, "x"), to: fixture.file)
                {}
            }
            #expect(error?.code == .unexpectedStatus)
        }
    }

    @Test func `the download works on files outside of the main thread`() async throws {
        try await Self.downloadOnMain()
    }

    @MainActor private static func downloadOnMain() async throws {
        try await withDownload { fixture in
            let steps = Lock<Set<DownloadOptions.Step>>([])
            var options = DownloadOptions()
            options.onStep = { step in
                #expect(!Thread.isMainThread)
                steps.withLock { _ = $0.insert(step) }
            }
            _ = try await fixture.download(options: options)
            #expect(
                steps.withLock { $0 } == Set(DownloadOptions.Step.allCases).subtracting([.close]))
        }
    }
}
#endif
