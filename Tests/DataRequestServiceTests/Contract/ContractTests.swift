#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import SkiathosLocks
import TestSupport
import Testing

/// What was promised of the service, line by line, against a server that is not written in Swift.
@Suite(.generousTimeLimit) struct ContractTests {
    struct Item: Codable, Sendable, Equatable {
        var id: Int
        var name: String
    }

    /// A problem as the server describes it.
    private struct Problem: Codable, Sendable, Equatable { var error: String }

    @Test func `one call does GET, POST, PUT, PATCH, DELETE and HEAD`() async throws {
        try await withPeer { base in
            try await withService(base) { service in
                let got = try await service.get("echo", as: Echo.self)
                let posted = try await service.post(
                    "echo", json: Item(id: 1, name: "a"), as: Echo.self)
                let put = try await service.put("echo", json: Item(id: 1, name: "a"), as: Echo.self)
                let patched = try await service.patch(
                    "echo", json: Item(id: 1, name: "a"), as: Echo.self)
                let deleted = try await service.delete("echo", as: Echo.self)
                #expect(
                    [got, posted, put, patched, deleted].map(\.method) == [
                        "GET", "POST", "PUT", "PATCH", "DELETE",
                    ])
                let item = try JSONDecoder().decode(Item.self, from: Data(posted.text.utf8))
                #expect(item == Item(id: 1, name: "a"))
                let head = try await service.head("echo")
                #expect(head.status == .ok)
            }
        }
    }

    @Test func `a call is async, or calls back on a chosen queue, and is cancelled by its token`()
        async throws
    {
        try await withPeer { base in
            try await withService(base) { service in
                let queue = DispatchQueue(label: "chosen")
                let key = DispatchSpecificKey<Bool>()
                queue.setSpecific(key: key, value: true)
                let isOnQueue = await withContinuation { continuation in
                    service.start(on: queue) {
                        try await $0.get("echo", as: Echo.self)
                    } completion: {
                        _ in
                        continuation.resume(returning: DispatchQueue.getSpecific(key: key) == true)
                    }
                }
                #expect(isOnQueue)
                let token = RequestToken()
                token.cancel()
                await expectError(.cancelled) {
                    _ = try await service.data(for: DataRequest(.get, "echo").cancelled(by: token))
                }
            }
        }
    }

    @Test func `headers, query and body arrive as they were built`() async throws {
        try await withPeer { base in
            try await withService(base, headers: [.acceptLanguage: "de"]) { service in
                let request = DataRequest(.post, "echo").query("a b", "c&d=ü").query("empty", nil)
                    .header(.userAgent, "tests").body(.form([QueryItem("k", "v w")]))
                let echo = try await service.decode(Echo.self, from: request)
                #expect(echo.path == "/echo?a%20b=c%26d%3D%C3%BC&empty")
                #expect(echo.header("user-agent") == "tests")
                #expect(echo.header("accept-language") == "de")
                #expect(echo.header("content-type")?.hasPrefix("application/x-www-form-") == true)
                #expect(echo.text == "k=v+w" || echo.text == "k=v%20w")
            }
        }
    }

    @Test func `statuses that are expected are a success and others are not`() async throws {
        try await withPeer { base in
            try await withService(base) { service in
                let request = DataRequest(.get, "none")
                await expectError(.unexpectedStatus) { _ = try await service.data(for: request) }
                let body = try await service.data(for: request.expecting(.notFound))
                #expect(!body.isEmpty)
            }
        }
    }

    @Test func `error bodies are decoded to a type of the caller`() async throws {
        try await withPeer { base in
            try await withService(base) { service in
                let error = await expectError(.unexpectedStatus) {
                    _ = try await service.data(
                        for: DataRequest(.get, "none").failing(with: Problem.self))
                }
                #expect(error?.status == .notFound)
                #expect(error?.decoded(Problem.self) == Problem(error: "no such path"))
            }
        }
    }

    @Test func `custom serializers are chosen by the media type`() async throws {
        struct Lines: ResponseSerializer {
            let name = "text/lines"
            func reads(_ type: MediaType) -> Bool { type.description == "text/lines" }
            func decode<Value: Decodable>(
                _ type: Value.Type, from body: Data, of mediaType: MediaType
            ) throws -> Value {
                let lines = String(decoding: body, as: UTF8.self).split(separator: "\n").map(
                    String.init)
                return try JSONDecoder().decode(type, from: JSONEncoder().encode(lines))
            }
        }
        try await withPeer { base in
            try await withService(base) {
                $0.serializers.append(Lines())
            } run: { service in
                let lines = try await service.post(
                    "gunzip", body: .data(Data("a\nb".utf8), contentType: "text/lines"),
                    as: [String].self)
                #expect(lines == ["a", "b"])
            }
        }
    }

    @Test func `the hook prepares headers and parameters of each call`() async throws {
        try await withPeer { base in
            try await withService(base) { configuration in
                configuration.prepare = { request, environment in
                    request = request.query("environment", environment.name)
                    request.headers[.acceptLanguage] = "el"
                }
            } run: { service in
                let echo = try await service.get("echo", as: Echo.self)
                #expect(echo.path == "/echo?environment=test")
                #expect(echo.header("accept-language") == "el")
            }
        }
    }

    @Test func `a path cannot leave the base host`() async throws {
        try await withPeer { base in
            try await withService(base) { service in
                for path in ["../echo", "//example.com/x", "a/../../echo", "..", "http://other/x"] {
                    let code = await errorCode { _ = try await service.get(path) }
                    #expect(code == .invalidPath || code == .unexpectedStatus, "\(path)")
                }
            }
        }
    }
}
#endif
