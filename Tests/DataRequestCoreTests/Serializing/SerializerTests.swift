#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct SerializerTests {
    struct Track: Codable, Equatable { var title: String }
    struct Filter: Codable, Equatable {
        var artist: String
        var genres: [String]
        var year: Int?
        var live: Bool
        var since: Date
    }

    private func decoded<Value: Decodable & Sendable>(
        _ body: Data, _ type: String?, as value: Value.Type = Value.self,
        configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) async throws -> Value {
        try await BodyFixture(answering: body, type: type, configure: configure).service
            .decode(value, from: DataRequest(.get, "x"))
    }

    @Test(arguments: ["application/json", "application/vnd.x+json; v=1", "APPLICATION/JSON", nil])
    func `JSON gives one value or many`(type: String?) async throws {
        let one: Track = try await decoded(Data(#"{"title":"a"}"#.utf8), type)
        #expect(one == Track(title: "a"))
        let many: [Track] = try await decoded(Data(#"[{"title":"a"}]"#.utf8), type)
        #expect(many == [Track(title: "a")])
    }

    @Test(
        arguments: [
            ("text/plain", Data("Ü".utf8)), ("text/plain; charset=\"UTF-8\"", Data("Ü".utf8)),
            ("text/plain; charset=ISO-8859-1", Data([0xdc])),
            ("text/plain; charset=utf-16", Data([0, 0xdc])),
            ("text/plain; charset=utf-16le", Data([0xdc, 0])),
            ("text/plain; charset=latin1", Data([0xff, 0xfe, 0xdc, 0])),
            ("text/plain", Data([0xfe, 0xff, 0, 0xdc])),
            ("text/plain", Data([0xef, 0xbb, 0xbf]) + Data("Ü".utf8)),
            ("text/html; charset=utf-8", Data("Ü".utf8)),
            ("application/xhtml+xml", Data("Ü".utf8)),
        ])
    func `a text is read in its charset`(type: String, body: Data) async throws {
        #expect(try await decoded(body, type, as: String.self) == "Ü")
        #expect(try await decoded(body, type, as: String?.self) == "Ü")
    }

    @Test(arguments: [
        ("text/plain", Data([0xdc])), ("text/plain; charset=utf-16", Data([1, 2, 3])),
        ("text/plain; charset=utf-16", Data([0xd8, 0, 0, 0x41])),
        ("text/plain; charset=klingon", Data("a".utf8)),
        ("text/plain; charset=us-ascii", Data([0x80])),
    ])
    func `a text that is not of its charset is undecodable`(type: String, body: Data) async {
        let error = await failure { try await decoded(body, type, as: String.self) }
        #expect(error?.code == .undecodable)
    }

    @Test func `a text may be a number or a Boolean`() async throws {
        #expect(try await decoded(Data(" 42\n".utf8), "text/plain", as: Int.self) == 42)
        #expect(try await decoded(Data("true".utf8), "text/plain", as: Bool.self))
        let error = await failure { try await decoded(Data("x".utf8), "text/plain", as: Int.self) }
        #expect(error?.code == .undecodable)
    }

    @Test func `octets are the bytes`() async throws {
        let body = Data([0, 1, 2])
        #expect(try await decoded(body, "application/octet-stream", as: Data.self) == body)
        #expect(try await decoded(body, "application/octet-stream", as: [UInt8].self) == [0, 1, 2])
        #expect(
            try await decoded(Data("[]".utf8), "application/json", as: Data.self) == Data("[]".utf8)
        )
    }

    @Test func `a form is read as it is written`() async throws {
        let filter = Filter(
            artist: "Joplin & Co +%", genres: ["Rag", "Jazz"], year: 1909, live: true,
            since: Date(timeIntervalSince1970: 86_400))
        let fixture = try BodyFixture()
        let sent = try await fixture.sent(try DataRequest(.post, "x").form(filter))
        let type = "application/x-www-form-urlencoded"
        #expect(try await decoded(sent.body, type, as: Filter.self) == filter)
        let texts: [String: String] = try await decoded(Data("a=1&b=%zz&c".utf8), type)
        #expect(texts == ["a": "1", "b": "%zz", "c": ""])
        for broken in ["artist=x", "artist=a&genres=b&year=x&live=true&since=y"] {
            let error = await failure {
                try await decoded(Data(broken.utf8), type, as: Filter.self)
            }
            #expect(error?.code == .undecodable)
        }
    }

    @Test func `the error names the received and the expected media type`() async throws {
        let error = await failure {
            try await decoded(Data("<html>secret".utf8), "text/html; a=secret", as: Track.self)
        }
        #expect(error?.code == .unexpectedContentType)
        #expect(error?.message.contains("text/html") == true)
        #expect(error?.message.contains("application/json") == true)
        #expect(error?.description.contains("secret") == false)
        #expect(error?.status == .ok)
        let unknown = await failure {
            try await decoded(Data([1]), "image/png", as: Track.self)
        }
        #expect(unknown?.code == .unexpectedContentType)
        #expect(unknown?.message.contains("image/png") == true)
        let broken = await failure { try await decoded(Data([1]), "nonsense", as: Track.self) }
        #expect(broken?.code == .unexpectedContentType)
    }

    @Test func `a serializer can be forced`() async throws {
        let fixture = try BodyFixture(answering: Data(#"{"title":"a"}"#.utf8), type: "text/html")
        let track = try await fixture.service.decode(
            Track.self, from: DataRequest(.get, "x"), using: JSONSerializer())
        #expect(track == Track(title: "a"))
    }

    @Test func `an answer without a media type is JSON, or the type that the service assumes`()
        async throws
    {
        #expect(try await decoded(Data("[1]".utf8), nil, as: [Int].self) == [1])
        #expect(
            try await decoded(Data("a=1".utf8), nil, as: [String: String].self) {
                $0.assumedMediaType = MediaType("application/x-www-form-urlencoded")
            } == ["a": "1"])
        let error = await failure {
            try await decoded(Data("[1]".utf8), nil, as: [Int].self) { $0.assumedMediaType = nil }
        }
        #expect(error?.code == .unexpectedContentType)
    }

    @Test func `later serializers win, and their errors show no values`() async throws {
        struct Shouting: ResponseSerializer {
            struct Loud: Error { var text = "secret" }
            let name = "text/shout"
            func reads(_ type: MediaType) -> Bool { type.type == "text" }
            func decode<Value: Decodable>(
                _ type: Value.Type, from body: Data, of mediaType: MediaType
            ) throws -> Value {
                guard let value = String(decoding: body, as: UTF8.self).uppercased() as? Value
                else { throw Loud() }
                return value
            }
        }
        let text: String = try await decoded(Data("a".utf8), "text/plain") {
            $0.serializers.append(Shouting())
        }
        #expect(text == "A")
        let error = await failure {
            try await decoded(Data("a".utf8), "text/plain", as: Int.self) {
                $0.serializers.append(Shouting())
            }
        }
        #expect(error?.code == .undecodable)
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `the configuration sets the decoder`() async throws {
        let date: Date = try await decoded(
            Data(#""1970-01-01T00:00:01Z""#.utf8), "application/json"
        ) {
            $0.serializers.append(
                JSONSerializer {
                    let decoder = JSONDecoder()
                    decoder.dateDecodingStrategy = .iso8601
                    return decoder
                })
        }
        #expect(date == Date(timeIntervalSince1970: 1))
    }
}
#endif
