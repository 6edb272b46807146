#if Requests
import Foundation
import HTTPTypes
import Hummingbird
import RequestTestKit
import TestSupport
import Testing

@testable import DataRequestService

/// What an error says of a certificate that is not trusted.
@Suite(.generousTimeLimit) struct CertificateProblemTests {
    /// The error of a request to a server that shows a certificate.
    private func refusal(
        of issued: TestAuthority.Issued, by trust: SecurityPolicy.Trust, http2: Bool = false
    ) async throws -> DataRequestError? {
        let tls = try issued.serverConfiguration()
        return try await withServer(http2 ? .http2(tls) : .tls(tls)) { router in
            router.get("/") { _, _ in "ok" }
        } run: { url in
            await expectError(.untrusted) {
                _ = try await withTransport(SecurityPolicy(trust: trust)) { transport in
                    let url = url.appending(queryItems: [.init(name: "token", value: "secret")])
                    return try await transport.send(OutgoingRequest(url: url))
                }
            }
        }
    }

    private func expect(
        _ error: DataRequestError?, _ problem: DataRequestError.CertificateProblem,
        naming parts: String..., location: SourceLocation = #_sourceLocation
    ) {
        #expect(error?.certificateProblem == problem, sourceLocation: location)
        #expect(error?.retry == DataRequestError.Retry.no, sourceLocation: location)
        let message = error?.message ?? ""
        for part in ["GET to localhost:", "expected"] + parts {
            #expect(
                message.contains(part), "\(message) lacks \(part)", sourceLocation: location)
        }
        #expect(!message.contains("secret"), sourceLocation: location)
    }

    @Test(arguments: [false, true])
    func `the error of an expired certificate has the date`(_ http2: Bool) async throws {
        let authority = try TestAuthority()
        let error = try await refusal(
            of: try authority.issue(.over), by: authority.trust, http2: http2)
        let day = Date(timeIntervalSinceNow: -3_600).formatted(.iso8601.year().month().day())
        expect(error, .expired, naming: "expired on \(day)", "Renew it")
    }

    @Test func `the error of an expired intermediate certificate names it`() async throws {
        let authority = try TestAuthority()
        let between = try authority.authority(named: "Workshop", .over)
        let error = try await refusal(of: try between.issue(), by: authority.trust)
        expect(error, .expired, naming: "its issuer 'Workshop'", "expired on")
    }

    @Test func `the error of a certificate that is not valid yet has the date`() async throws {
        let authority = try TestAuthority()
        let error = try await refusal(of: try authority.issue(.later), by: authority.trust)
        expect(error, .notYetValid, naming: "valid from", "clock")
    }

    @Test func `the error names an authority that is not trusted`() async throws {
        let (trusted, other) = (try TestAuthority(), try TestAuthority(named: "Strangers Ltd"))
        let error = try await refusal(of: try other.issue(), by: trusted.trust)
        expect(error, .unknownIssuer, naming: "'Strangers Ltd'", "SecurityPolicy.trust")
        let system = try await refusal(of: try other.issue(), by: .system)
        expect(system, .unknownIssuer, naming: "'Strangers Ltd'")
        let between = try other.authority(named: "Workshop").issue(locatingIssuer: true)
        let chain = try await refusal(of: between, by: trusted.trust)
        expect(chain, .unknownIssuer, naming: "'Strangers Ltd'")
    }

    @Test func `the error says that a certificate is self-signed`() async throws {
        let issued = try TestAuthority.selfSigned(named: "printer")
        let error = try await refusal(of: issued, by: .system)
        expect(error, .unknownIssuer, naming: "self-signed certificate of 'printer'", ".pinsOnly")
    }

    @Test func `the error of a certificate for other hosts has their names`() async throws {
        let authority = try TestAuthority()
        let issued = try authority.issue(
            hosts: ["a.example", "b.example", "c.example", "d.example", "e.example", "f.example"],
            loopback: false)
        let error = try await refusal(of: issued, by: authority.trust)
        expect(
            error, .wrongHost,
            naming: "for a.example, b.example, c.example, d.example, e.example and 1 more",
            "expected one for localhost")
    }

    @Test func `the error says that a chain without an issuer is incomplete`() async throws {
        let authority = try TestAuthority()
        var issued = try authority.authority(named: "Workshop").issue(locatingIssuer: true)
        issued.between = []
        let error = try await refusal(of: issued, by: authority.trust)
        expect(error, .incompleteChain, naming: "'localhost' alone", "'Workshop'", "whole chain")
        // Without that note of its, nothing tells an issuer between from an unknown authority.
        issued = try authority.authority(named: "Workshop").issue()
        issued.between = []
        let unclear = try await refusal(of: issued, by: authority.trust)
        expect(unclear, .unknownIssuer, naming: "'Workshop'", "let the server send its certificate")
    }

    @Test func `names in certificates cannot write into a log`() async throws {
        let issued = try TestAuthority.selfSigned(named: "a\u{1B}[31m\n\u{202E}b")
        let error = try await refusal(of: issued, by: .system)
        expect(error, .unknownIssuer, naming: "'a?[31m??b'")
    }

    @Test func `a certificate that is truncated at any byte is not parsed`() throws {
        let der = try TestAuthority().authority(named: "Workshop").issue(locatingIssuer: true).der
        let (from, to) = (Date.distantPast, Date.distantFuture)
        let whole = try #require(ShownCertificate(der: der, from: from, to: to))
        #expect(whole.issuerName == "Workshop")
        #expect(whole.subjectName == "localhost")
        #expect(whole.hosts == ["localhost", "127.0.0.1"])
        #expect(whole.locatesIssuer)
        for count in der.indices {
            #expect(ShownCertificate(der: Array(der.prefix(count)), from: from, to: to) == nil)
        }
    }

    @Test func `damaged certificates are read as far as they go`() throws {
        let der = try TestAuthority().issue(locatingIssuer: true).der
        var random = SeededNumbers(seed: 7)
        for _ in 0..<5_000 {
            var damaged = der
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: der.indices, using: &random)] = .random(
                    in: 0...255, using: &random)
            }
            guard
                let shown = ShownCertificate(
                    der: damaged, from: .distantPast, to: .distantFuture)
            else { continue }
            _ = CertificateDiagnosis([shown], host: "localhost", now: Date(), isForOthers: true)
            _ = CertificateDiagnosis([shown], host: "localhost", now: Date(), isForOthers: false)
        }
    }

    @Test func `a server that sends nothing leaves the error as it is`() async throws {
        #expect(CertificateDiagnosis([], host: "localhost", now: Date(), isForOthers: false) == nil)
        let error = DataRequestError(.untrusted, "refused")
        let probe = CertificateProbe(minimumTLS: .v12, limit: .seconds(600))
        try await withRawServer { raw, number in
            if number > 0 { try await raw.write("HTTP/1.1 403 Forbidden\r\n\r\n") }
        } run: { url in
            let request = OutgoingRequest(url: url)
            let server = AsyncHTTPTransport.Proxy.Server(
                kind: .http, host: "127.0.0.1", port: url.port ?? 0)
            for route in [Route.direct, .tunnel(server)] {
                let found = await probe.explaining(
                    error, of: ExchangeLabel(request), at: url, by: route)
                #expect(found.message == "refused")
                #expect(found.certificateProblem == nil)
            }
        }
    }
}
#endif
