#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import SkiathosLocks
import RequestTestKit
import Synchronization
import TestSupport
import Testing

/// Servers over HTTP/2 that end their connections in order, as at a reload.
@Suite(.generousTimeLimit) struct GoingAwayTests {
    /// Posts that many requests over a server, and gives how many of them it has carried out.
    private func post(
        _ count: Int, verdict: @escaping @Sendable (Int) -> HTTP2Verdict
    ) async throws -> Int {
        let authority = try TestAuthority()
        let handled = Lock(0)
        try await withHTTP2Server(try authority.issue().serverConfiguration()) { number in
            let verdict = verdict(number)
            if case .refuse = verdict { return verdict }
            handled.withLock { $0 += 1 }
            return verdict
        } run: { url in
            try await withService(url, security: SecurityPolicy(trust: authority.trust)) {
                $0.retry.maximumAttempts = 100
            } run: { service in
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for worker in 0..<16 {
                        group.addTask {
                            for number in stride(from: worker, to: count, by: 16) {
                                let body = RequestBody.data(Data("\(number)".utf8))
                                let answer = try await service.post("t", body: body) as Data
                                #expect(answer == Data("ok".utf8))
                            }
                        }
                    }
                    try await group.waitForAll()
                }
            }
        }
        return handled.withLock { $0 }
    }

    @Test func `posts go through once each while connections are ended`() async throws {
        let handled = try await post(800) { $0 % 10 == 0 ? .answerAndGoAway : .answer() }
        #expect(handled == 800)
    }

    @Test func `posts whose streams are refused are sent again`() async throws {
        let handled = try await post(200) { $0 % 3 == 0 ? .refuse : .answer() }
        #expect(handled == 200)
    }

    @Test func `a refused stream is a connection that failed`() async throws {
        let authority = try TestAuthority()
        let policy = SecurityPolicy(trust: authority.trust)
        try await withHTTP2Server(try authority.issue().serverConfiguration()) { _ in
            .refuse
        } run: { url in
            try await withTransport(policy) { transport in
                let error = await expectError(.connectionFailed) {
                    _ = try await transport.send(OutgoingRequest(method: .post, url: url))
                }
                #expect(error?.retry == .later)
            }
        }
    }
}
#endif
