#if RequestCore
import DataRequestCore
import Testing

struct MediaTypeTests {
    @Test func `a type is read with its parameters`() throws {
        let type = try #require(
            MediaType(#" Text/HTML ;Charset="a\"b;c" ; q=1;; charset=second"#))
        #expect(type.description == "text/html")
        #expect(type.parameters == ["charset": #"a"b;c"#, "q": "1"])
        #expect(MediaType("application/problem+json")?.suffix == "json")
        #expect(MediaType("application/problem+json")?.isJSON == true)
        #expect(MediaType("application/json; charset=utf-8")?.isJSON == true)
        #expect(MediaType("text/plain;")?.parameters == [:])
        #expect(MediaType("application/json5")?.isJSON == false)
    }

    @Test(arguments: [
        "", "text", "text/", "/plain", "text/plain charset", "text/plain; a", "text/plain; a=",
        "text/plain; a=\"b", "te xt/plain", "text/plain, text/html", "text/plain; a=\"b\\",
        "täxt/plain", "*", ";",
    ])
    func `an invalid media type gives nil`(text: String) {
        #expect(MediaType(text) == nil)
    }
}
#endif
