#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import TestSupport
import Testing

struct MultipartTests {
    struct Notes: Encodable { var tempo = "slow" }

    @Test func `a multipart body has the bytes of the standard`() async throws {
        try await withFiles { directory in
            let file = directory.appending(path: "cover.png")
            try Data([1, 2, 3]).write(to: file)
            var numbers = SeededNumbers(seed: 7)
            var body = MultipartBody(using: &numbers)
            body.add("title", text: "Sølace")
            try body.add("notes", json: Notes())
            body.add("cover", file: file, headers: [.contentLanguage: "en"])
            body.add("raw", data: Data([0xff]), fileName: "a\"b\r\n%c.bin")
            let boundary = body.boundary
            let sent = try await BodyFixture().sent(DataRequest(.post, "x").multipart(body))
            let lines: [Data] = [
                Data(
                    "--\(boundary)\r\nContent-Disposition: form-data; name=\"title\"\r\n\r\n".utf8),
                Data("Sølace\r\n--\(boundary)\r\nContent-Disposition: form-data; ".utf8),
                Data("name=\"notes\"\r\nContent-Type: application/json\r\n\r\n".utf8),
                Data("{\"tempo\":\"slow\"}\r\n--\(boundary)\r\nContent-Disposition: ".utf8),
                Data("form-data; name=\"cover\"; filename=\"cover.png\"\r\n".utf8),
                Data("Content-Type: image/png\r\nContent-Language: en\r\n\r\n".utf8),
                Data([1, 2, 3]), Data("\r\n--\(boundary)\r\nContent-Disposition: form-data; ".utf8),
                Data("name=\"raw\"; filename=\"a%22b%0D%0A%c.bin\"\r\n".utf8),
                Data("Content-Type: application/octet-stream\r\n\r\n".utf8), Data([0xff]),
                Data("\r\n--\(boundary)--\r\n".utf8),
            ]
            #expect(sent.body == lines.reduce(Data(), +))
            #expect(sent.request.body.length == Int64(sent.body.count))
            #expect(
                sent.request.headers[.contentType] == "multipart/form-data; boundary=\(boundary)")
        }
    }

    @Test func `boundaries are long, random and need no quotes`() {
        let all = (0..<100).map { _ in MultipartBody().boundary }
        #expect(Set(all).count == 100)
        for boundary in all {
            #expect(boundary.utf8.count <= 70)
            #expect(boundary.drop { $0 != "-" }.count >= 31)
            let isPlain = boundary.utf8.allSatisfy { byte in
                let character = Character(Unicode.Scalar(byte))
                return character == "-" || character.isLetter || character.isNumber
            }
            #expect(isPlain)
        }
    }

    @Test(arguments: ["missing", "directory", "empty"])
    func `a file that cannot be sent is refused by its part before anything is sent`(
        name: String
    )
        async throws
    {
        try await withFiles { directory in
            try FileManager.default.createDirectory(
                at: directory.appending(path: "directory"), withIntermediateDirectories: true)
            try Data().write(to: directory.appending(path: "empty"))
            try Data("x".utf8).write(to: directory.appending(path: "good"))
            let fixture = try BodyFixture()
            let request = DataRequest(.post, "x").multipart { form in
                form.add("title", text: "secret")
                form.add("good one", file: directory.appending(path: "good"))
                form.add("bad\none", file: directory.appending(path: name))
            }
            let error = await failure { try await fixture.sent(request) }
            #expect(error?.code == .invalidBody)
            #expect(error?.message.contains("\"bad%0Aone\"") == true)
            #expect(error?.description.contains("secret") == false)
            #expect(fixture.transport.requests.isEmpty)
        }
    }

    @Test func `an empty file goes out if that is allowed, and a body without parts does not`()
        async throws
    {
        try await withFiles { directory in
            let file = directory.appending(path: "empty")
            try Data().write(to: file)
            let fixture = try BodyFixture()
            _ = try await fixture.sent(
                DataRequest(.post, "x").multipart { $0.add("a", file: file, allowsEmpty: true) })
            let error = await failure {
                try await fixture.sent(DataRequest(.post, "x").multipart { _ in })
            }
            #expect(error?.code == .invalidBody)
        }
    }

    @Test func `a header cannot begin another line`() async throws {
        let sent = try await BodyFixture().sent(
            DataRequest(.post, "x").multipart { form in
                form.add("a", data: Data(), contentType: "text/plain\r\nX-Evil: 1")
            })
        #expect(!String(decoding: sent.body, as: UTF8.self).contains("\r\nX-Evil"))
    }

    @Test func `a large file goes out in pieces of a bounded size`() async throws {
        try await withFiles { directory in
            let file = directory.appending(path: "large.bin")
            var numbers = SeededNumbers(seed: 3)
            let bytes = numbers.bytes(1 << 20)
            try bytes.write(to: file)
            let fixture = try BodyFixture()
            let request = DataRequest(.post, "x").multipart { $0.add("a", file: file) }
            let sent = try await fixture.sent(request)
            #expect(sent.request.body.length == Int64(sent.body.count))
            let start = try #require(sent.body.firstRange(of: Data("\r\n\r\n".utf8)))
            #expect(sent.body[start.upperBound...].prefix(1 << 20) == bytes)
            let stream = try #require(try await sent.request.body.open())
            var largest = 0
            for try await piece in stream { largest = max(largest, piece.count) }
            #expect(largest <= 64 << 10)
        }
    }
}
#endif
