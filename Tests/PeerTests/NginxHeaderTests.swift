#if Requests && Macros
import DataRequestPersistence
import DataRequestService
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Headers and statuses as servers send them.
@Suite(.generousTimeLimit, .serialized) struct NginxHeaderTests {
    private func withService(
        _ server: String, path: String = "",
        run: @escaping @Sendable (DataRequestService) async throws -> Void
    ) async throws {
        try await withNginx(server) { peer, policy in
            var configuration = DataRequestService.Configuration()
            configuration.retry = .never
            let service = try DataRequestService(
                environment: ServerEnvironment(
                    "nginx", baseURL: try peer.url("https", path: path)),
                security: policy, configuration: configuration)
            try await run(service)
            _ = await service.shutDown(deadline: .zero)
        }
    }

    @Test(.needs(.nginx))
    func `a next page keeps the slash at the end of its path`() async throws {
        let server = """
            default_type application/json;
            location = /api/rows/ {
              if ($arg_page = 2) {
                add_header X-Page 2;
                return 200 '[{"number":2}]';
              }
              add_header Link '</api/rows/?page=2>; rel="next"';
              return 200 '[{"number":1}]';
            }
            location = /api/rows { return 404; }
            """
        try await withService(server, path: "/api/") { service in
            let numbers = try await rows(of: DataRequest(.get, "rows/"), over: service).numbers
            #expect(numbers == [1, 2])
        }
    }

    @Test(.needs(.nginx))
    func `a link that is not an address is an invalid page`() async throws {
        let server = #"""
            default_type application/json;
            location / {
              add_header Link '<\\\\evil>; rel="next"';
              return 200 '[{"number":1}]';
            }
            """#
        try await withService(server) { service in
            let error = await #expect(throws: DataRequestError.self) {
                _ = try await rows(of: DataRequest(.get, "rows/"), over: service)
            }
            #expect(error?.code == .invalidPage)
        }
    }

    @Test(
        .needs(.nginx),
        arguments: ["Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "0"])
    func `a Retry-After is read in every form`(_ date: String) async throws {
        let server = "location / { add_header Retry-After '\(date)' always; return 503; }"
        try await withService(server) { service in
            let error = await #expect(throws: DataRequestError.self) {
                _ = try await service.get("t") as Data
            }
            #expect(error?.retry == .after(.zero))
        }
    }

    @Test(.needs(.nginx))
    func `no message shows a query that is typed into a path`() async throws {
        try await withService("location / { return 404; }") { service in
            for path in ["rows?s3cret", "rows;s3cret", "rows?token=s3cret", "rows%3Fs3cret"] {
                let error = await #expect(throws: DataRequestError.self) {
                    _ = try await service.get(path) as Data
                }
                #expect(error.map { "\($0)".contains("s3cret") } == false)
            }
        }
    }
}
#endif
