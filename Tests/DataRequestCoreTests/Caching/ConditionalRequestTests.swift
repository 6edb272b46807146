#if RequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
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

    @Test(
        arguments: [
            ([:], true), ([.cacheControl: "max-age=60"], true),
            ([.cacheControl: "No-Store"], false),
            ([.vary: "*"], false), ([.vary: "Accept"], true), ([.vary: "Accept-Language"], false),
        ] as [(HTTPFields, Bool)])
    func `the headers of a 304 decide whether the answer stays cached`(
        headers: HTTPFields, staysCached: Bool
    ) async throws {
        let transport = ScriptedTransport { request, number in
            guard number == 1 else {
                return .answer(request, .ok, headers: [.eTag: "\"v1\""], "body \(number)")
            }
            return .answer(request, .notModified, headers: headers)
        }
        let service = try service(transport)
        for language in ["en", "en", "el"] {
            let request = DataRequest(.get, "a").header(.acceptLanguage, language)
            let text = try await text(service, request)
            #expect(text == (language == "en" ? "body 0" : "body 2"))
        }
        let asked = transport.requests.map { $0.headers[.ifNoneMatch] }
        #expect(asked == [nil, "\"v1\"", staysCached ? "\"v1\"" : nil])
    }

    @Test func `a redirect is followed without the validators of the cache`() async throws {
        let date = "Sun, 06 Nov 1994 08:49:37 GMT"
        // The page of the login is as old as the answer that is cached.
        let transport = ScriptedTransport { request, number in
            switch number {
            case 0: return .answer(request, .ok, headers: [.lastModified: date], "me")
            case 1: return .answer(request, .found, headers: [.location: "login"])
            default:
                guard request.headers[.ifModifiedSince] == nil else {
                    return .answer(request, .notModified)
                }
                return .answer(request, .ok, headers: [.lastModified: date], "login")
            }
        }
        let service = try service(transport)
        for expected in ["me", "login"] {
            let text = try await text(service, DataRequest(.get, "me"))
            #expect(text == expected)
        }
        #expect(transport.requests.map { $0.headers[.ifModifiedSince] } == [nil, date, nil])
    }

    @Test func `a redirect keeps the validators of the caller`() async throws {
        let transport = ScriptedTransport { request, number in
            number == 0
                ? .answer(request, .found, headers: [.location: "b"])
                : .answer(request, .notModified)
        }
        let request = DataRequest(.get, "a").validators(Validators(etag: "\"v1\""))
        let response = try await service(transport).response(for: request)
        #expect(response.status == .notModified)
        #expect(transport.requests.last?.headers[.ifNoneMatch] == "\"v1\"")
    }

    @Test func `a 304 of another address is not taken for the cached answer`() async throws {
        let other = try #require(URL(string: "https://api.example.com/v1/login"))
        let transport = ScriptedTransport { request, number in
            guard number == 1 else {
                return .answer(request, .ok, headers: [.eTag: "\"v1\""], "me")
            }
            return IncomingResponse(url: other, status: .notModified)
        }
        let service = try service(transport)
        _ = try await text(service, DataRequest(.get, "me"))
        let response = try await service.response(for: DataRequest(.get, "me").expecting(.any))
        #expect(response.status == .notModified)
        #expect(response.url == other)
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

    @Test func `the cache separates answers by the encodings that a caller names`() async throws {
        let transport = transport()
        let service = try service(transport)
        let encoded = DataRequest(.get, "a").header(.acceptEncoding, "gzip")
        for (request, number) in [(encoded, 0), (encoded, 0), (DataRequest(.get, "a"), 2)] {
            let text = try await text(service, request)
            #expect(text == "body \(number)")
        }
    }

    @Test func `a token that is set gets no answer of the earlier one`() async throws {
        let transport = transport()
        let service = try service(transport)
        let authoriser = BearerAuthoriser(token: "ada")
        service.authorisation = authoriser
        let first = try await text(service, DataRequest(.get, "a"))
        #expect(first == "body 0")
        authoriser.token = "bob"
        for _ in 0..<2 {
            let text = try await text(service, DataRequest(.get, "a"))
            #expect(text == "body 1")
        }
        #expect(transport.requests.map { $0.headers[.ifNoneMatch] } == [nil, nil, "\"v1\""])
        #expect(
            transport.requests.map { $0.headers[.authorization] } == [
                "Bearer ada", "Bearer bob", "Bearer bob",
            ])
    }

    @Test func `an answer on its way while the token is set is not cached`() async throws {
        let authoriser = BearerAuthoriser(token: "ada")
        let transport = ScriptedTransport { request, number in
            if number == 0 { authoriser.token = "bob" }
            return .answer(request, .ok, headers: [.eTag: "\"v1\""], "body \(number)")
        }
        let service = try service(transport)
        service.authorisation = authoriser
        for number in 0..<2 {
            let text = try await text(service, DataRequest(.get, "a"))
            #expect(text == "body \(number)")
        }
        #expect(transport.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil })
    }

    @Test func `what a refresh gets is cached for requests without credentials`() async throws {
        let transport = ScriptedTransport { request, number in
            .answer(
                request, number == 0 ? .unauthorized : .ok, headers: [.eTag: "\"v1\""],
                "body \(number)")
        }
        let service = try service(transport)
        service.authorisation = BearerAuthoriser(token: "old") { [unowned service] _ in
            _ = try await service.data(for: DataRequest(.get, "a"))
            return "new"
        }
        let text = try await text(service, DataRequest(.get, "b"))
        #expect(text == "body 2")
        service.authorisation = nil
        _ = try await service.data(for: DataRequest(.get, "a"))
        #expect(transport.requests.last?.headers[.ifNoneMatch] == "\"v1\"")
    }

    @Test func `an answer to a request with a sensitive header of its own is not cached`()
        async throws
    {
        let name = try #require(HTTPField.Name("X-Api-Key"))
        let transport = transport()
        let service = try DataRequestService.forTests(transport, headers: [name: "of all"]) {
            $0.conditionalRequests = ConditionalRequestPolicy()
            $0.sensitiveHeaders = [name]
        }
        for (number, key) in ["ada", "bob", "ada"].enumerated() {
            let text = try await text(service, DataRequest(.get, "a").header(name, key))
            #expect(text == "body \(number)")
        }
        #expect(transport.requests.allSatisfy { $0.headers[.ifNoneMatch] == nil })
        for _ in 0..<2 {
            let text = try await text(service, DataRequest(.get, "a"))
            #expect(text == "body 3")
        }
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
