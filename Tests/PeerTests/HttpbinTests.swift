#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.generousTimeLimit, .serialized) struct HttpbinTests {
    private func withService(
        run: @escaping @Sendable (DataRequestService) async throws -> Void
    ) async throws {
        try await withPeer(.httpbin) { _, port in
            ["-m", "httpbin.core", "--host", "127.0.0.1", "--port", "\(port)"]
        } run: { peer in
            let service = try DataRequestService(
                environment: ServerEnvironment("httpbin", baseURL: try peer.url()))
            try await run(service)
            _ = await service.shutDown(deadline: .zero)
        }
    }

    // They take fifteen seconds together, and a connection may take ten to be made.
    @Test(.needs(.httpbin))
    func `a hundred and twenty requests of a second each are all answered`() async throws {
        try await withService { service in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<120 {
                    group.addTask { _ = try await service.get("delay/1") as Data }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test(.needs(.httpbin))
    func `a Retry-After in an old form is read`() async throws {
        try await withService { service in
            let date = "Sunday, 06-Nov-94 08:49:37 GMT"
            let head = try await service.head(
                "response-headers", query: [QueryItem("Retry-After", date)])
            let retry = DataRequestError.Retry(
                status: .serviceUnavailable, headers: head.headers)
            #expect(retry == .after(.zero))
        }
    }
}
#endif
