#if Requests
import DataRequestCore
import DataRequestService
import HTTPTypes
import SkiathosPlatformFoundation
import ServiceLifecycle
import ServiceLifecycleTestKit
import Testing
import TestSupport

@Suite(.generousTimeLimit) struct LifecycleTests {
    /// A transport that reports when a request has arrived, and answers on demand.
    private struct Held: HTTPTransport {
        let arrivals = AsyncStream<Void>.makeStream()
        let answers = AsyncStream<Void>.makeStream()

        func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
            arrivals.continuation.yield()
            for await _ in answers.stream { break }
            try Task.checkCancellation()
            return IncomingResponse(url: request.url, status: .ok)
        }

        func shutDown() async throws {}
    }

    private func service(_ transport: Held) throws -> DataRequestService {
        let base = try #require(URL(string: "https://api.example.com"))
        return try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base), transport: transport,
            configuration: .patient)
    }

    @Test func `a graceful shutdown lets calls finish`() async throws {
        let transport = Held()
        let service = try service(transport)
        try await testGracefulShutdown { trigger in
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await service.run() }
                let call = Task { try await service.response(for: DataRequest(.get, "a")).status }
                for await _ in transport.arrivals.stream { break }
                trigger.triggerGracefulShutdown()
                while await isOpen(service) { await Task.yield() }
                transport.answers.continuation.yield()
                let status = try await call.value
                #expect(status == .ok)
                try await group.waitForAll()
            }
        }
        #expect(service.inFlight.isEmpty)
    }

    @Test func `a cancelled group cancels calls at once`() async throws {
        let transport = Held()
        let service = try service(transport)
        let run = Task { try await service.run() }
        let call = Task { try await service.response(for: DataRequest(.get, "a")).status }
        for await _ in transport.arrivals.stream { break }
        run.cancel()
        try await run.value
        do {
            _ = try await call.value
            Issue.record("The call has succeeded.")
        } catch let error as DataRequestError {
            #expect(error.code == .shutDown)
        }
    }

    private func isOpen(_ service: DataRequestService) async -> Bool {
        let url = URL(string: "http://external.example")
        guard let url else { return false }
        // Refused either way: as not encrypted while the service is open.
        do { _ = try await service.response(for: DataRequest(.get, external: url)) } catch {
            return (error as? DataRequestError)?.code != .shutDown
        }
        return true
    }
}
#endif
