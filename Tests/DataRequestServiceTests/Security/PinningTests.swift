#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import Hummingbird
import SkiathosLocks
import NIOSSL
import RequestTestKit
import Synchronization
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct PinningTests {
    /// Runs with a server that counts the requests that reach it.
    private func withCounting(
        _ issued: TestAuthority.Issued, http2: Bool,
        run: @escaping @Sendable (URL) async throws -> Void
    ) async throws -> Int {
        let count = RequestCount()
        let tls = try issued.serverConfiguration()
        try await withServer(http2 ? .http2(tls) : .tls(tls)) { router in
            router.get("/") { _, _ in
                count.add()
                return "ok"
            }
        } run: { url in
            try await run(url)
        }
        return count.value
    }

    private func policy(
        _ trust: SecurityPolicy.Trust, _ pins: Pin..., allowingSinglePin: Bool = false,
        expires: Date? = nil
    ) throws -> SecurityPolicy {
        SecurityPolicy(
            trust: trust,
            pins: [
                try PinSet(
                    hosts: "localhost", pins: pins, allowingSinglePin: allowingSinglePin,
                    expires: expires)
            ])
    }

    private static let other = Data(repeating: 1, count: 32).base64EncodedString()

    private func get(_ url: URL, _ policy: SecurityPolicy) async throws -> String {
        try await withTransport(policy) { try await $0.send(OutgoingRequest(url: url)).text() }
    }

    @Test(arguments: [false, true])
    func `a server with one of the pinned keys is accepted`(_ http2: Bool) async throws {
        let authority = try TestAuthority()
        let issued = try authority.issue()
        let count = try await withCounting(issued, http2: http2) { url in
            let byKey = try policy(
                authority.trust, .publicKey(sha256: Self.other), .publicKey(sha256: issued.keyPin))
            let first = try await get(url, byKey)
            #expect(first == "ok")
            let byCertificate = try policy(
                authority.trust, .certificate(sha256: issued.certificatePin),
                allowingSinglePin: true)
            let second = try await get(url, byCertificate)
            #expect(second == "ok")
        }
        #expect(count == 2)
    }

    @Test(arguments: [false, true])
    func `a server with another key gets no byte of a request`(_ http2: Bool) async throws {
        let authority = try TestAuthority()
        let issued = try authority.issue()
        let count = try await withCounting(issued, http2: http2) { url in
            // The digest of the key under the name of a certificate is no match either.
            let policy = try policy(
                authority.trust, .publicKey(sha256: Self.other),
                .certificate(sha256: issued.keyPin))
            let error = await expectError(.pinMismatch) { _ = try await get(url, policy) }
            #expect(error?.retry == DataRequestError.Retry.no)
            let message = error?.message ?? ""
            for part in ["localhost", issued.keyPin, issued.certificatePin, Self.other] {
                #expect(message.contains(part))
            }
        }
        #expect(count == 0)
    }

    @Test(arguments: [false, true])
    func `a self-signed certificate is accepted where pins alone are trusted`(
        _ http2: Bool
    )
        async throws
    {
        let issued = try TestAuthority().issue(hosts: ["another.name"])
        let count = try await withCounting(issued, http2: http2) { url in
            let right = try policy(
                .pinsOnly, .publicKey(sha256: issued.keyPin), .publicKey(sha256: Self.other))
            let text = try await get(url, right)
            #expect(text == "ok")
            let wrong = try policy(
                .pinsOnly, .publicKey(sha256: Self.other), allowingSinglePin: true)
            await expectError(.pinMismatch) { _ = try await get(url, wrong) }
            let unpinned = SecurityPolicy(
                trust: .pinsOnly,
                pins: [
                    try PinSet(
                        hosts: "example.com",
                        pins: [.publicKey(sha256: issued.keyPin), .publicKey(sha256: Self.other)])
                ])
            await expectError(.untrusted) { _ = try await get(url, unpinned) }
        }
        #expect(count == 1)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/openssl")))
    func `the command of the documents gives the pin of a key`() async throws {
        let issued = try TestAuthority().issue()
        let file = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(issued.der).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let pin = try await outputLine(of: [
            "/bin/sh", "-c",
            "openssl x509 -inform der -in '\(file.path)' -pubkey -noout | openssl pkey -pubin "
                + "-outform der | openssl dgst -sha256 -binary | base64",
        ])
        #expect(pin == issued.keyPin)
    }

    @Test func `expired pins are refused before anything is connected`() async throws {
        let authority = try TestAuthority()
        let issued = try authority.issue()
        let count = try await withCounting(issued, http2: false) { url in
            let policy = try policy(
                authority.trust, .publicKey(sha256: issued.keyPin),
                .publicKey(sha256: Self.other), expires: Date(timeIntervalSinceNow: -1))
            let error = await expectError(.pinsExpired) { _ = try await get(url, policy) }
            #expect(error?.message.contains("localhost") == true)
        }
        #expect(count == 0)
    }

    @Test func `a host with pins gets no connection whose key was not checked`() async throws {
        let authority = try TestAuthority()
        let issued = try authority.issue(hosts: ["localhost", "a.localhost"])
        let count = try await withCounting(issued, http2: false) { url in
            let policy = SecurityPolicy(
                trust: authority.trust,
                pins: [
                    try PinSet(
                        hosts: "localhost", pins: [.publicKey(sha256: Self.other)],
                        allowingSinglePin: true)
                ])
            try await withTransport(policy) { transport in
                let free = try #require(URL(string: "https://127.0.0.1:\(url.port ?? 0)/"))
                let text = try await transport.send(OutgoingRequest(url: free)).text()
                #expect(text == "ok")
                await expectError(.pinMismatch) {
                    _ = try await transport.send(OutgoingRequest(url: url))
                }
            }
        }
        #expect(count == 1)
    }
}

/// Counts requests from any thread.
final class RequestCount: Sendable {
    private let count = Lock(0)

    var value: Int { count.withLock { $0 } }

    func add() { count.withLock { $0 += 1 } }
}
#endif
