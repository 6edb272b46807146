#if Requests
import Crypto
import DataRequestService
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import NIOSSL
import RequestTestKit
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct TrustTests {
    private func get(
        _ issued: TestAuthority.Issued, _ policy: SecurityPolicy,
        _ change: (inout TLSConfiguration) -> Void = { _ in }
    ) async throws -> String {
        var tls = try issued.serverConfiguration()
        change(&tls)
        return try await withServer(.tls(tls)) { router in
            router.get("/") { _, _ in "ok" }
        } run: { url in
            try await withTransport(policy) { try await $0.send(OutgoingRequest(url: url)).text() }
        }
    }

    @Test func `a certificate of a trusted authority is accepted`() async throws {
        let authority = try TestAuthority()
        let text = try await get(try authority.issue(), SecurityPolicy(trust: authority.trust))
        #expect(text == "ok")
    }

    @Test func `certificates of others, for others and of the past are not trusted`() async throws {
        let authority = try TestAuthority()
        let trusting = SecurityPolicy(trust: authority.trust)
        let refused = [
            (try TestAuthority().issue(), trusting), (try authority.issue(), SecurityPolicy()),
            (try authority.issue(hosts: ["another.name"], loopback: false), trusting),
            (try authority.issue(.over), trusting),
        ]
        for (issued, policy) in refused {
            let error = await expectError(.untrusted) { _ = try await get(issued, policy) }
            #expect(error?.retry == DataRequestError.Retry.no)
            #expect(error?.message.contains("localhost") == true)
        }
    }

    @Test func `a server with only older versions of TLS is refused`() async throws {
        let authority = try TestAuthority()
        let issued = try authority.issue()
        let policy = SecurityPolicy(trust: authority.trust, minimumTLS: .v13)
        let error = await expectError(.connectionFailed) {
            _ = try await get(issued, policy) { $0.maximumTLSVersion = .tlsv12 }
        }
        #expect(error?.retry == DataRequestError.Retry.no)
    }

    @Test func `a server that requests a certificate gets the one of the policy`() async throws {
        let authority = try TestAuthority()
        let (server, client) = (try authority.issue(), try authority.issue(hosts: ["client"]))
        func get(_ policy: SecurityPolicy) async throws -> String {
            try await self.get(server, policy) { tls in
                tls.certificateVerification = .noHostnameVerification
                tls.trustRoots = .certificates(
                    [try? NIOSSLCertificate(bytes: authority.der, format: .der)].compactMap { $0 })
            }
        }
        let identity = SecurityPolicy.Identity(
            chain: .der(Data(client.der)), key: .der(client.key.derRepresentation))
        let text = try await get(SecurityPolicy(trust: authority.trust, identity: identity))
        #expect(text == "ok")
        await #expect(throws: DataRequestError.self) {
            _ = try await get(SecurityPolicy(trust: authority.trust))
        }
    }

    @Test func `an error names the unreadable file of a policy when a transport is made`() throws {
        let policy = SecurityPolicy(trust: .authorities([.pemFile("/nowhere/ca.pem")]))
        let error = #expect(throws: DataRequestError.self) {
            try AsyncHTTPTransport(security: policy)
        }
        #expect(error?.code == .invalidPolicy)
        #expect(error?.message.contains("/nowhere/ca.pem") == true)
        for source in [SecurityPolicy.Source.pem(Data()), .der(Data([1, 2])), .derFile("/none")] {
            #expect(throws: DataRequestError.self) {
                try SecurityPolicy(trust: .authorities([source])).tlsConfiguration()
            }
            #expect(throws: DataRequestError.self) {
                try SecurityPolicy(identity: .init(chain: source, key: source)).tlsConfiguration()
            }
        }
        #expect(throws: DataRequestError.self) {
            try SecurityPolicy(trust: .pinsOnly).tlsConfiguration()
        }
    }
}
#endif
