#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import SkiathosPlatformLibC
import TestSupport
import Testing

struct FileBodyTests {
    @Test func `an upload sends the bytes of the file and gives the bytes of the answer`()
        async throws
    {
        try await withFiles { directory in
            let file = directory.appending(path: "cover.png")
            var numbers = SeededNumbers(seed: 1)
            let bytes = numbers.bytes(200_001)
            try bytes.write(to: file)
            let fixture = try BodyFixture(answering: Data("thanks".utf8))
            let response = try await fixture.service.response(
                for: DataRequest(.put, "covers/7").upload(file: file))
            var answer = Data()
            for try await piece in response.body { answer += piece }
            let sent = try #require(fixture.transport.requests.first)
            #expect(sent.body == bytes)
            #expect(answer == Data("thanks".utf8))
            #expect(sent.request.headers[.contentType] == "image/png")
            #expect(sent.request.body.length == 200_001)
        }
    }

    @Test(arguments: ["missing", "directory", "empty", "pipe", "no/way"])
    func `only a regular file with bytes is sent`(name: String) async throws {
        try await withFiles { directory in
            try FileManager.default.createDirectory(
                at: directory.appending(path: "directory"), withIntermediateDirectories: true)
            try Data().write(to: directory.appending(path: "empty"))
            mkfifo(directory.appending(path: "pipe").path, 0o600)
            let fixture = try BodyFixture()
            let url = directory.appending(path: name)
            let error = await failure {
                try await fixture.sent(DataRequest(.put, "x").upload(file: url))
            }
            #expect(error?.code == .invalidBody)
            #expect(fixture.transport.requests.isEmpty)
        }
    }

    @Test func `an empty file is sent if that is allowed`() async throws {
        try await withFiles { directory in
            let file = directory.appending(path: "empty.txt")
            try Data().write(to: file)
            let sent = try await BodyFixture().sent(
                DataRequest(.put, "x").body(.file(file, allowsEmpty: true)))
            #expect(sent.body.isEmpty)
            #expect(sent.request.body.length == 0)
        }
    }

    @Test(arguments: [true, false])
    func `a file that changes while it is sent fails the request`(grows: Bool) async throws {
        try await withFiles { directory in
            let file = directory.appending(path: "log.txt")
            try Data(repeating: 1, count: 300_000).write(to: file)
            let fixture = try BodyFixture()
            let request = DataRequest(.put, "x").upload(file: file).onUploadProgress { sent, _ in
                guard sent < 70_000 else { return }
                truncate(file.path, grows ? 400_000 : 100_000)
            }
            let error = await failure { try await fixture.sent(request) }
            #expect(error?.code == .invalidBody)
            #expect(error?.message.contains("changed") == true)
            #expect(fixture.transport.requests.isEmpty)
        }
    }

    @Test func `an address that is not a file URL is refused`() async throws {
        let url = try #require(URL(string: "https://example.com/cover.png"))
        let fixture = try BodyFixture()
        let error = await failure {
            try await fixture.sent(DataRequest(.put, "x").upload(file: url))
        }
        #expect(error?.code == .invalidBody)
    }
}
#endif
