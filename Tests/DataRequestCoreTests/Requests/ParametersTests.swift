#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation
import Testing

struct ParametersTests {
    private let items = [QueryItem("a", "1 2"), QueryItem("b", "x&y")]

    private func sent(_ request: DataRequest) async throws -> OutgoingRequest {
        let transport = ScriptedTransport()
        _ = try await DataRequestService.forTests(transport).response(for: request)
        return try #require(transport.requests.first)
    }

    @Test(arguments: [HTTPRequest.Method.get, .head, .delete], [false, true])
    func `parameters of a request without a body are in its query, at external hosts too`(
        method: HTTPRequest.Method, isExternal: Bool
    ) async throws {
        let url = try #require(URL(string: "https://other.example/search?c=3"))
        let request =
            isExternal
            ? DataRequest(method, external: url) : DataRequest(method, "search").query("c", "3")
        let sent = try await sent(request.parameters(items))
        #expect(sent.url.query(percentEncoded: true) == "c=3&a=1%202&b=x%26y")
        #expect(sent.body.length == 0)
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .patch])
    func `parameters of a request with a body are in the body`(
        method: HTTPRequest.Method
    ) async throws {
        for format in [RequestBody.ParameterFormat.form, .json] {
            let sent = try await sent(DataRequest(method, "a").parameters(items, as: format))
            #expect(sent.url.query() == nil)
            var text = ""
            if let stream = try await sent.body.open() {
                for try await piece in stream { text += String(decoding: piece, as: UTF8.self) }
            }
            switch format {
            case .form: #expect(text == "a=1+2&b=x%26y")
            case .json: #expect(text == #"{"a":"1 2","b":"x&y"}"#)
            }
        }
    }
}
#endif
