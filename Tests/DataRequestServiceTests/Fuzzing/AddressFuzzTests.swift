#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Addresses that come from outside, over the transport that ships.
@Suite(.generousTimeLimit) struct AddressFuzzTests {
    @Test(arguments: ["65536", "70000", "99999999999999999999", "0"])
    func `a redirect to an invalid port does not trap`(
        _ port: String
    ) async throws {
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write(
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:\(port)/\r\n"
                    + "Content-Length: 0\r\n\r\n")
        } run: { url in
            try await withService(url) { service in
                await expectError(.redirectRefused) { _ = try await service.get("t") as Data }
            }
        }
    }

    @Test(arguments: ["65536", "70000", "99999999999999999999", "0"])
    func `a transport sends nothing to an invalid port`(_ port: String) async throws {
        for scheme in ["http", "https"] {
            let url = try #require(URL(string: "\(scheme)://127.0.0.1:\(port)/?s3cret"))
            try await withTransport { transport in
                let error = await expectError(.connectionFailed) {
                    _ = try await transport.send(OutgoingRequest(url: url))
                }
                #expect(error?.message.contains("65535") == true)
                #expect(error.map { "\($0)".contains("s3cret") } == false)
            }
        }
    }

    @Test(arguments: [0, -1, 65_536, 70_000, .max])
    func `a proxy with an invalid port is refused`(_ port: Int) throws {
        for proxy in [
            AsyncHTTPTransport.Proxy.http(host: "127.0.0.1", port: port),
            .socks5(host: "127.0.0.1", port: port),
        ] {
            var configuration = AsyncHTTPTransport.Configuration()
            configuration.proxy = proxy
            let error = #expect(throws: DataRequestError.self) {
                try AsyncHTTPTransport(configuration: configuration)
            }
            #expect(error?.code == .invalidPolicy)
        }
    }

    /// Addresses of this machine alone, that no resolver has to ask for elsewhere, most of them at ports
    /// where nothing listens.
    @Test(.seeded) func `no address traps`() async throws {
        var generator = SeededNumbers(seed: Seed.current)
        let hosts = [
            "127.0.0.1", "localhost", "[::1]", "0x7f.1", "2130706433", "%6cocalhost", "[::1",
            "u:p@127.0.0.1", "[::ffff:127.0.0.1]", "[::1%25lo]", "",
        ]
        let ports = [
            "", ":", ":0", ":1", ":65535", ":65536", ":70000", ":4294967297", ":-1", ":+1", ":٣",
            ":18446744073709551617", ":99999999999999999999", ":1:2", ":000000000000000000000001",
        ]
        let tails = [
            "", "/", "/x", "?a", "#f", "/\u{301}", "/%00", "//", "\\x", "/\r\n", "@x:99999",
        ]
        var texts: [String] = []
        for _ in 0..<300 {
            func one(_ of: [String]) -> String { of.randomElement(using: &generator) ?? "" }
            texts.append(
                one(["http://", "https://", "//", "HTTP://"]) + one(hosts) + one(ports) + one(tails)
            )
        }
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.connectLimit = .seconds(5)
        let locations = texts
        try await withRawServer { raw, number in
            _ = await raw.readHead()
            let location = locations[number % locations.count]
                .replacing("\r\n", with: "")
            try await raw.write(
                "HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n"
                    + "Connection: close\r\n\r\n")
        } run: { [configuration] base in
            try await withService(base) {
                $0.retry = .never
                $0.allowsExternalCleartext = true
            } run: { service in
                for _ in locations { await Self.fails { _ = try await service.get("t") as Data } }
            }
            try await withTransport(SecurityPolicy(cleartext: .allowed), configuration) {
                transport in
                for url in locations.compactMap({ URL(string: $0) }) {
                    await Self.fails { _ = try await transport.send(OutgoingRequest(url: url)) }
                }
            }
        }
    }

    /// Expects an error of the service, or none.
    private static func fails(_ work: () async throws -> Void) async {
        do { try await work() } catch { #expect(error is DataRequestError, "\(error)") }
    }
}
#endif
