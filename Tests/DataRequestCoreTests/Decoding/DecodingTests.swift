#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct DecodingTests {
    struct Track: Codable, Equatable { var title: String }
    struct Album: Codable {
        var tracks: [Track]
        var notes: [String: Track]?
    }
    enum Genre: String, Decodable { case rag }

    private func error<Value: Decodable & Sendable>(
        _ body: String, as type: Value.Type
    ) async throws -> DataRequestError? {
        let fixture = try BodyFixture(answering: Data(body.utf8))
        return await failure { try await fixture.service.get("x", as: type) }
    }

    @Test(arguments: [
        (#"{"tracks":[{"title":"a"},{"title":7}]}"#, "not of type String at tracks[1].title"),
        (#"{"tracks":[{"title":null}]}"#, "null instead of String at tracks[0].title"),
        (#"{"tracks":[{"secret":1}]}"#, "no member title at tracks[0]"),
        (#"{"tracks":[],"notes":{"secret":{"title":7}}}"#, "not of type String at notes.*.title"),
        (#"{"secret""#, "not valid at the top"),
    ])
    func `an error of decoding names the path, never the value`(
        body: String, words: String
    ) async throws {
        let error = try await error(body, as: Album.self)
        #expect(error?.code == .undecodable)
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `an error shows no value that an enumeration lacks`() async throws {
        let error = try await error(#"["secret"]"#, as: [Genre].self)
        #expect(error?.code == .undecodable)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `a body without bytes decodes to nil, to nothing or to no bytes`() async throws {
        let service = try BodyFixture().service
        #expect(try await service.get("x", as: Track?.self) == nil)
        #expect(try await service.get("x", as: EmptyBody.self) == EmptyBody())
        #expect(try await service.get("x", as: Data.self) == Data())
        #expect(try await service.get("x", as: Data?.self) == nil)
        #expect(try await service.get("x", as: String.self) == "")
        #expect(try await service.get("x") == Data())
        try await service.send(DataRequest(.get, "x"))
        let error = await failure { try await service.get("x", as: Track.self) }
        #expect(error?.code == .undecodable)
        #expect(error?.message.contains("empty") == true)
        let list = await failure { try await service.get("x", as: [Track].self) }
        #expect(list?.code == .undecodable)
    }

    @Test func `null decodes to nil`() async throws {
        let service = try BodyFixture(answering: Data("null".utf8)).service
        #expect(try await service.get("x", as: Track?.self) == nil)
    }

    @Test func `an answer that is too large is refused by its length or while it is read`()
        async throws
    {
        for length in [nil, Int64(11)] {
            let transport = RecordingTransport { request in
                IncomingResponse(
                    url: request.url, status: .ok, body: pieces("12345", "678901", length: length))
            }
            let fixture = try BodyFixture(transport) { $0.maximumBodySize = 10 }
            let error = await failure { try await fixture.service.get("x") }
            #expect(error?.code == .tooLarge)
            let data = try await fixture.service.data(
                for: DataRequest(.get, "x").maximumBodySize(11))
            #expect(data == Data("12345678901".utf8))
        }
    }

    @Test func `an answer that is shorter than announced is lost`() async throws {
        let fixture = try BodyFixture(
            RecordingTransport { request in
                IncomingResponse(url: request.url, status: .ok, body: pieces("123", length: 4))
            })
        let error = await failure { try await fixture.service.get("x") }
        #expect(error?.code == .connectionLost)
    }

    @Test func `each method has a call that sends it`() async throws {
        let fixture = try BodyFixture(answering: Data(#"{"title":"b"}"#.utf8))
        let (service, track) = (fixture.service, Track(title: "a"))
        var answers: [Track] = []
        answers.append(try await service.get("t", query: [QueryItem("q", "1")], as: Track.self))
        answers.append(try await service.post("t", json: track))
        answers.append(try await service.put("t", json: track))
        answers.append(try await service.patch("t", json: track))
        answers.append(try await service.delete("t"))
        answers.append(try await service.post("t", body: .text("x")))
        answers.append(try await service.put("t", body: .text("x")))
        answers.append(try await service.patch("t", body: .text("x")))
        #expect(answers == Array(repeating: Track(title: "b"), count: 8))
        let raw: [Data] = [
            try await service.get("t"), try await service.post("t"),
            try await service.put("t", json: track), try await service.patch("t", json: track),
            try await service.delete("t"),
        ]
        #expect(raw == Array(repeating: Data(#"{"title":"b"}"#.utf8), count: 5))
        let head = try await service.head("t")
        #expect(head.headers[.contentType] == "application/json")
        let methods = fixture.transport.requests.map(\.request.method.rawValue)
        #expect(
            methods == [
                "GET", "POST", "PUT", "PATCH", "DELETE", "POST", "PUT", "PATCH", "GET", "POST",
                "PUT", "PATCH", "DELETE", "HEAD",
            ])
        #expect(fixture.transport.requests.first?.request.url.query == "q=1")
        #expect(fixture.transport.requests[1].body == Data(#"{"title":"a"}"#.utf8))
    }

    @Test func `one-call functions encode with the encoder of the service`() async throws {
        let fixture = try BodyFixture {
            $0.makeJSONEncoder = {
                let encoder = JSONEncoder()
                encoder.keyEncodingStrategy = .convertToSnakeCase
                return encoder
            }
        }
        struct Value: Encodable { var aName = 1 }
        try await fixture.service.post("t", json: Value())
        #expect(fixture.transport.requests.first?.body == Data(#"{"a_name":1}"#.utf8))
    }
}
#endif
