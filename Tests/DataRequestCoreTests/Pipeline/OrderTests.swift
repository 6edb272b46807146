#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import Testing

struct OrderTests {
    private final class Journal: Sendable {
        let entries = Lock<[String]>([])
        func record(_ entry: String) { entries.withLock { $0.append(entry) } }
        var all: [String] { entries.withLock { $0 } }
    }

    private struct Noting: RequestInterceptor {
        let name: String
        let journal: Journal

        func intercept(_ request: OutgoingRequest, next: Next) async throws -> IncomingResponse {
            journal.record("\(name) \(request.headers[.authorization] ?? "-")")
            return try await next(request)
        }
    }

    private struct NotingAuthoriser: Authoriser {
        let journal: Journal
        func authorise(_ request: inout OutgoingRequest) {
            journal.record("authorise")
            request.headers[.authorization] = "yes"
        }
        func refresh(after rejection: AuthorisationRejection) async throws -> Bool {
            journal.record("refresh")
            return true
        }
    }

    @Test func `steps run in the documented order, and as often as documented`() async throws {
        let journal = Journal()
        let transport = ScriptedTransport { request, number in
            journal.record("send \(request.url.lastPathComponent)")
            switch number {
            case 0: return .answer(request, .serviceUnavailable)
            case 1: return .answer(request, .unauthorized)
            case 2: return .answer(request, .found, headers: [.location: "c"])
            default: return .answer(request)
            }
        }
        let service = try DataRequestService.forTests(transport) {
            $0.random = { 0 }
            $0.prepare = { request, environment in
                journal.record("prepare \(environment.name)")
                request = request.query("p", "1")
            }
            $0.interceptors = [
                Noting(name: "outer", journal: journal), Noting(name: "inner", journal: journal),
            ]
            $0.networkInterceptors = [Noting(name: "network", journal: journal)]
        }
        service.authorisation = NotingAuthoriser(journal: journal)
        _ = try await service.response(for: DataRequest(.get, "b"))
        #expect(
            journal.all == [
                "prepare test", "outer -", "inner -",
                "authorise", "network yes", "send b",  // 503: another attempt
                "authorise", "network yes", "send b",  // 401: a refresh
                "refresh", "authorise", "network yes", "send b",  // 302
                "network yes", "send c",
            ])
        #expect(transport.requests.first?.url.query() == "p=1")
    }

    @Test func `an error of the preparation is thrown by the call, which sends nothing`()
        async throws
    {
        struct Unready: Error {}
        let transport = ScriptedTransport()
        let service = try DataRequestService.forTests(transport) {
            $0.prepare = { _, _ in throw Unready() }
        }
        await #expect(throws: Unready.self) {
            try await service.response(for: DataRequest(.get, "b"))
        }
        #expect(transport.requests.isEmpty)
        #expect(service.inFlight.isEmpty)
    }

    @Test func `an interceptor may answer by itself`() async throws {
        struct Answering: RequestInterceptor {
            func intercept(_ request: OutgoingRequest, next: Next) async throws -> IncomingResponse
            {
                .answer(request, .ok, "mine")
            }
        }
        let transport = ScriptedTransport()
        let service = try DataRequestService.forTests(transport) { $0.interceptors = [Answering()] }
        let text = try await service.response(for: DataRequest(.get, "b")).text()
        #expect(text == "mine")
        #expect(transport.requests.isEmpty)
    }
}
#endif
