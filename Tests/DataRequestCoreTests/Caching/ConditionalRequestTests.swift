#if RequestCore
import HTTPTypes
import Locks
import PlatformFoundation
import Synchronization
import Testing
import TestSupport

@testable import DataRequestCore

struct ConditionalRequestTests {
    /// Serves one version of everything, and answers 304 to requests with its validator.
    private func transport(_ headers: HTTPFields = [.eTag: "\"v1\""]) -> ScriptedTransport {
        ScriptedTransport { request, number in
            if request.headers[.ifNoneMatch] == headers[.eTag], headers[.eTag] != nil {
                return .answer(request, .notModified, headers: [.date: "d\(number)"])
            }
            return .answer(request, .ok, headers: headers, "body \(number)")
        }
    }

    private func service(_ transport: ScriptedTransport) throws -> DataRequestService {
        try DataRequestService.forTests(transport) {
            $0.conditionalRequests = ConditionalRequestPolicy()
        }
    }

    private func text(_ service: DataRequestService, _ request: DataRequest) async throws -> String
    {
        try await service.perform(request) { response in
            #expect(response.status == .ok)
            return try await response.text()
        }
    }

    @Test func `each request is conditional, and an unchanged body is not sent again`()
        async throws
    {
        let transport = transport()
        let service = try service(transport)
        for _ in 0..<3 {
            let text = try await text(service, DataRequest(.get, "a"))
            #expect(text == "body 0")
        }
        let response = try await service.response(for: DataRequest(.get, "a"))
        #expect(response.headers[.date] == "d3")
        #expect(response.headers[.eTag] == "\"v1\"")
        #expect(
            transport.requests.map { $0.headers[.ifNoneMatch] } == [
                nil, "\"v1\"", "\"v1\"", "\"v1\"",
            ])
    }

    @Test(
        arguments: [
            [.eTag: "\"v\"", .cacheControl: "private, no-store"], [.eTag: "\"v\"", .vary: "*"],
            [.cacheControl: "max-age=60"],
        ] as [HTTPFields])
    func `answers that must not be cached are not cached`(headers: HTTPFields) async throws {
        let transport = transport(headers)
        let service = try service(transport)
        for number in 0..<2 {
            let text = try await text(service, DataRequest(.get, "a"))
            #expect(text == "body \(number)")
        }
    }

    @Test func `the cache separates answers by varied headers and credentials`() async throws {
        let transport = transport([.eTag: "\"v1\"", .vary: "Accept-Language, Accept"])
        let service = try service(transport)
        let english = DataRequest(.get, "a").header(.acceptLanguage, "en")
        _ = try await text(service, english)
        _ = try await text(service, DataRequest(.get, "a").header(.acceptLanguage, "el"))
        #expect(transport.requests.last?.headers[.ifNoneMatch] == nil)
        service.authorisation = BearerAuthoriser(token: "a")
        _ = try await text(service, DataRequest(.get, "a").header(.acceptLanguage, "el"))
        #expect(transport.requests.last?.headers[.ifNoneMatch] == nil)
        service.authorisation = BearerAuthoriser(token: "b")
        _ = try await text(service, DataRequest(.get, "a").header(.acceptLanguage, "el"))
        #expect(transport.requests.last?.headers[.ifNoneMatch] == nil)
        _ = try await text(service, DataRequest(.get, "a").header(.acceptLanguage, "el"))
        #expect(transport.requests.last?.headers[.ifNoneMatch] == "\"v1\"")
    }

    @Test func `a body that was not read to its end is not cached`() async throws {
        let transport = transport()
        let service = try service(transport)
        _ = try await service.perform(DataRequest(.get, "a")) { $0.status }
        _ = try await text(service, DataRequest(.get, "a"))
        #expect(transport.requests.last?.headers[.ifNoneMatch] == nil)
    }

    @Test(.seeded) func `the store stays within its bounds`() {
        var numbers = SeededNumbers(seed: Seed.current)
        var store = AnswerStore(.init(maximumSize: 100, maximumBodySize: 50, maximumCount: 5))
        let environment = UUID()
        for _ in 0..<500 {
            let key = AnswerStore.Key(
                address: "\(Int.random(in: 0..<20, using: &numbers))", environment: environment,
                credentials: nil)
            let body = Data(count: .random(in: 0..<70, using: &numbers))
            store.store(StoredAnswer(headers: [:], body: body, varied: [:]), for: key)
            #expect(store.size <= 100 && store.count <= 5)
            #expect((store.answer(for: key, [:]) != nil) == (body.count <= 50))
        }
    }
}
#endif
