#if Hummingbird
import SkiathosStore
import Testing

@testable import SkiathosHummingbird

struct ServerSentEventTests {
    @Test(arguments: [
        ("a", "data: a\n\n"), ("", "data: \n\n"), ("a\nb", "data: a\ndata: b\n\n"),
        ("a\r\nb", "data: a\ndata: b\n\n"), ("a\rb", "data: a\ndata: b\n\n"),
        ("a\n\n", "data: a\ndata: \ndata: \n\n"), (" a", "data:  a\n\n"),
        ("data: x\n\nevent: y", "data: data: x\ndata: \ndata: event: y\n\n"),
        ("é\u{2028}🇬🇷", "data: é\u{2028}🇬🇷\n\n"),
    ])
    func `each line of the data has its field`(data: String, text: String) throws {
        #expect(try ServerSentEvent(data: data).text == text)
    }

    @Test func `the ID and the name precede the data`() throws {
        let event = try ServerSentEvent(data: "x", event: "reset", id: "7")
        #expect(event.text == "id: 7\nevent: reset\ndata: x\n\n")
    }

    @Test func `an empty ID is sent, since it takes the ID back that the client has`() throws {
        #expect(try ServerSentEvent(data: "x", id: "").text == "id: \ndata: x\n\n")
    }

    @Test(arguments: ["a\nb", "a\rb", "a\r\nb", "a\0b", "\n", "x\n\ndata: forged"])
    func `a line break or NUL in an ID or a name is refused`(text: String) {
        for make in [
            { try ServerSentEvent(data: "", id: text) },
            { try ServerSentEvent(data: "", event: text) },
        ] {
            let error = #expect(throws: ServerSentEventError.self) { try make() }
            #expect(error?.code == .invalidText)
            #expect(error?.message.contains("forged") == false)
        }
    }

    @Test func `NUL in the data and an empty name are refused`() {
        #expect(throws: ServerSentEventError.self) { try ServerSentEvent(data: "a\0") }
        #expect(throws: ServerSentEventError.self) { try ServerSentEvent(data: "", event: "") }
    }

    @Test(arguments: [
        (Duration.seconds(2), "retry: 2000\n\n"), (.milliseconds(1_500), "retry: 1500\n\n"),
        (.zero, "retry: 0\n\n"), (nil, ":\n\n"),
    ])
    func `a stream begins with the time of reconnection`(retry: Duration?, text: String) {
        #expect(ServerSentEventOptions(retry: retry).preamble == text)
    }

    /// The examples of FIPS 180-4 and lengths around the border of a block, as `sha256sum` has them.
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb924"), ("abc", "ba7816bf8f01cfea414140de5dae2223"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039"
        ),
        (String(repeating: "a", count: 55), "9f4390f8d30c2dd92ec9f095b65e2b9a"),
        (String(repeating: "a", count: 56), "b35439a4ac6f0948b6d6f9e3c6af0f5f"),
        (String(repeating: "a", count: 64), "ffe054fe7ae0cb6dc65c3af9b61d5209"),
        (String(repeating: "a", count: 1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67"),
    ])
    func `a fingerprint is the first half of the SHA-256`(text: String, digits: String) {
        #expect(StateFingerprint(text).description == digits)
    }
}
#endif
