#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct ValueBodyTests {
    struct Track: Codable, Equatable { var title: String }
    struct Filter: Encodable {
        enum Order: String, Encodable { case newest }
        var artist: String
        var genres: [String]
        var year: Int?
        var live: Bool
        var order: Order
        var since: Date
        var tempo: Double
    }
    struct Nested: Encodable { var track = Track(title: "Solace") }
    struct Measure: Encodable { var values = [1, Double.infinity] }

    @Test func `a value goes out as JSON with its type`() async throws {
        let sent = try await BodyFixture().sent(
            try DataRequest(.post, "tracks").json(Track(title: "Solace")))
        #expect(String(decoding: sent.body, as: UTF8.self) == #"{"title":"Solace"}"#)
        #expect(sent.request.headers[.contentType] == "application/json")
        #expect(sent.request.body.length == 18)
    }

    @Test func `a header of the request wins over the type of its body`() async throws {
        let sent = try await BodyFixture().sent(
            try DataRequest(.post, "tracks").json(Track(title: "Solace"))
                .header(.contentType, "application/vnd.track+json"))
        #expect(sent.request.headers[.contentType] == "application/vnd.track+json")
    }

    @Test func `the error of a value without a form in JSON names its path and not its value`()
        async throws
    {
        let error = await failure { try DataRequest(.post, "x").json(Measure()) }
        #expect(error?.code == .invalidBody)
        #expect(error?.message.contains("values[1]") == true)
        #expect(error?.description.contains("inf") == false)
    }

    @Test(arguments: [
        ("a b", "a+b"), ("*-._~!'()", "*-._%7E%21%27%28%29"),
        ("ü€😀", "%C3%BC%E2%82%AC%F0%9F%98%80"),
        ("&=+%", "%26%3D%2B%25"), ("\r\n\u{0}", "%0D%0A%00"), ("", ""),
    ])
    func `a form is written by the rules of browsers`(text: String, expected: String) async throws {
        let sent = try await BodyFixture().sent(
            DataRequest(.post, "x").form([QueryItem(text, text), QueryItem("n", nil)]))
        #expect(String(decoding: sent.body, as: UTF8.self) == "\(expected)=\(expected)&n=")
        #expect(sent.request.headers[.contentType] == "application/x-www-form-urlencoded")
    }

    @Test func `the properties of a flat value make a form`() async throws {
        let filter = Filter(
            artist: "Joplin & Co", genres: ["Rag", "Jazz"], year: nil, live: true, order: .newest,
            since: Date(timeIntervalSince1970: 0), tempo: 1.5)
        let sent = try await BodyFixture().sent(try DataRequest(.post, "x").form(filter))
        #expect(
            String(decoding: sent.body, as: UTF8.self)
                == "artist=Joplin+%26+Co&genres=Rag&genres=Jazz&live=true&order=newest"
                + "&since=1970-01-01T00%3A00%3A00Z&tempo=1.5")
        let more = try await BodyFixture().sent(try DataRequest(.post, "x").form(["a": "1"]))
        #expect(String(decoding: more.body, as: UTF8.self) == "a=1")
    }

    @Test func `a nested value cannot be a form`() async throws {
        let error = await failure { try DataRequest(.post, "x").form(Nested()) }
        #expect(error?.code == .invalidBody)
        #expect(error?.message.contains("track") == true)
        #expect(error?.description.contains("Solace") == false)
        let list = await failure { try DataRequest(.post, "x").form([["a", "b"]]) }
        #expect(list?.code == .invalidBody)
        let number = await failure { try DataRequest(.post, "x").form(7) }
        #expect(number?.code == .invalidBody)
    }

    @Test func `parameters go out as JSON or as a form`() async throws {
        let items = [
            QueryItem("b", nil), QueryItem("a", "1"), QueryItem("c", "2"), QueryItem("c", "3"),
        ]
        let json = try await BodyFixture().sent(
            DataRequest(.post, "x").body(try .parameters(items, as: .json)))
        #expect(String(decoding: json.body, as: UTF8.self) == #"{"a":"1","b":null,"c":["2","3"]}"#)
        let form = try await BodyFixture().sent(
            DataRequest(.post, "x").body(try .parameters(items, as: .form)))
        #expect(String(decoding: form.body, as: UTF8.self) == "b=&a=1&c=2&c=3")
    }

    @Test func `a text goes out in UTF-8`() async throws {
        let sent = try await BodyFixture().sent(DataRequest(.post, "x").body(.text("Ü")))
        #expect(sent.body == Data("Ü".utf8))
        #expect(sent.request.headers[.contentType] == "text/plain; charset=utf-8")
    }
}
#endif
