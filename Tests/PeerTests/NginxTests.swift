#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.generousTimeLimit, .serialized) struct NginxTests {
    @Test(.needs(.nginx))
    func `no request fails while the server reloads over HTTP/2`() async throws {
        try await withNginx("location / { return 200 ok; }") { peer, policy in
            let service = try service(try peer.url("https"), policy)
            let answered = Counter()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for worker in 0..<16 {
                    group.addTask {
                        for number in 0..<100 {
                            // A method that is not repeated unless nothing was sent.
                            let isPost = (worker + number).isMultiple(of: 2)
                            let request = DataRequest(isPost ? .post : .get, "\(worker)/\(number)")
                            let answer = try await service.data(for: request)
                            #expect(answer == Data("ok".utf8))
                            answered.add()
                        }
                    }
                }
                for part in 1...8 {
                    _ = await happens { answered.count >= part * 160 }
                    peer.signal(SIGHUP)
                }
                try await group.waitForAll()
            }
            #expect(answered.count == 1_600)
            _ = await service.shutDown(deadline: .zero)
        }
    }

    @Test(.needs(.nginx))
    func `a slash followed by a combining mark does not lead out of the base URL`() async throws {
        let files = ["\u{301}x.txt": Data("secret".utf8), "v1/a.txt": Data("a".utf8)]
        try await withNginx("", files: files) { peer, policy in
            let base = try peer.url("https").appending(path: "v1")
            let service = try service(base, policy)
            for path in ["../\u{301}x.txt", "a/../../\u{301}x.txt", "%2e%2e/\u{301}x.txt"] {
                let error = await #expect(throws: DataRequestError.self) {
                    _ = try await service.get(path) as Data
                }
                #expect(error?.code == .invalidPath)
            }
            let own = try await service.get("a.txt") as Data
            #expect(own == Data("a".utf8))
            _ = await service.shutDown(deadline: .zero)
        }
    }

    @Test(.needs(.nginx))
    func `a redirect to an invalid port does not trap`() async throws {
        let location = "location / { return 302 http://127.0.0.1:65536/; }"
        try await withNginx(location) { peer, policy in
            let service = try service(try peer.url("https"), policy)
            let error = await #expect(throws: DataRequestError.self) {
                _ = try await service.get("t") as Data
            }
            #expect(error?.code == .redirectRefused)
            _ = await service.shutDown(deadline: .zero)
        }
    }

    @Test(.needs(.nginx))
    func `a download is resumed when a stopped server is back`() async throws {
        let bytes = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) })
        // Slow enough that the whole is not in the buffers when the server is stopped.
        try await withNginx("limit_rate 1m;", files: ["file": bytes]) { peer, policy in
            let failures = Counter()
            let service = try service(try peer.url("https"), policy, failures)
            let file = peer.directory.appending(path: "copy")
            let reports = Counter()
            async let result = service.download(DataRequest(.get, "file"), to: file) { progress in
                if progress.received > 0 { reports.add() }
            }
            #expect(await happens { reports.count > 0 })
            await peer.stop()
            // More attempts than one call makes by itself.
            #expect(await happens { failures.count > 12 })
            try await peer.start()
            let size = try await result.size
            #expect(size == Int64(bytes.count))
            let copy = try Data(contentsOf: file)
            #expect(copy == bytes)
            _ = await service.shutDown(deadline: .zero)
        }
    }

    private func service(
        _ base: URL, _ policy: SecurityPolicy, _ failures: Counter = Counter()
    ) throws -> DataRequestService {
        var configuration = DataRequestService.Configuration()
        // Each reload may end the connection that a repetition has just been given.
        configuration.retry.maximumAttempts = 10
        configuration.networkInterceptors = [CountingFailures(counter: failures)]
        return try DataRequestService(
            environment: ServerEnvironment("nginx", baseURL: base), security: policy,
            configuration: configuration)
    }
}
#endif
