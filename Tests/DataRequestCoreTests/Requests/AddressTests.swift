#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import SkiathosPlatformFoundation
import Synchronization
import Testing
import TestSupport

/// Addresses that come from outside: of redirects, external hosts and environments.
struct AddressTests {
    private static let base = "http://api.example.com/v1"

    private func makeService(
        _ transport: ScriptedTransport, base: String = base
    ) throws -> DataRequestService {
        try .forTests(transport, base: base) { $0.allowsExternalCleartext = true }
    }

    @Test(arguments: ["65536", "99999", "18446744073709551696", "99999999999999999999", "0"])
    func `an invalid port is refused wherever it comes from`(_ port: String) async throws {
        let address = "http://127.0.0.1:\(port)/"
        let url = try #require(URL(string: address))
        let redirecting = ScriptedTransport { request, _ in
            .answer(request, .found, headers: [.location: address])
        }
        let redirected = await failure {
            _ = try await makeService(redirecting).response(for: DataRequest(.get, "t"))
        }
        #expect(redirected?.code == .redirectRefused)
        #expect(redirecting.requests.count == 1)
        let transport = ScriptedTransport()
        let service = try makeService(transport)
        let external = await failure {
            _ = try await service.response(for: DataRequest(.get, external: url))
        }
        #expect(external?.code == .invalidPath)
        #expect(external?.message.contains("65535") == true)
        let switched = await failure {
            try service.switchEnvironment(to: .forTests(address))
        }
        #expect(switched?.code == .invalidConfiguration)
        let made = await failure { _ = try makeService(transport, base: address) }
        #expect(made?.code == .invalidConfiguration)
        #expect(made?.message.contains("65535") == true)
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: [
        ("http://h:80/", "http://h"), ("http://h:/", "http://h"), ("http://h:00080/", "http://h"),
        ("http://[::1]:65535/", "http://[::1]:65535"), ("http://[::1]/", "http://[::1]"),
        ("https://h:443", "https://h"), ("http://h:443", "http://h:443"),
    ])
    func `a valid port is kept`(base: String, expected: String) async throws {
        let transport = ScriptedTransport()
        _ = try await makeService(transport, base: base).response(for: DataRequest(.get, "t"))
        #expect(transport.requests.first?.url.absoluteString == expected + "/t")
    }

    @Test(.seeded) func `no random address leads to an invalid port`() async throws {
        var generator = SeededNumbers(seed: Seed.current)
        for _ in 0..<Rounds.of(3_000) {
            let text = RandomAddress.text(using: &generator)
            let sent = ScriptedTransport { request, number in
                number == 0
                    ? .answer(request, .found, headers: [.location: text]) : .answer(request)
            }
            await follow(text, sent) {
                _ = try await $0.response(for: DataRequest(.post, "t").retrying(.never))
            }
            guard let url = URL(string: text) else { continue }
            let transport = ScriptedTransport()
            await follow(text, transport) {
                _ = try await $0.response(for: DataRequest(.get, external: url).query("a", "b"))
            }
            await follow(text, transport) { service in
                try service.switchEnvironment(to: ServerEnvironment("next", baseURL: url))
                _ = try await service.response(for: DataRequest(.get, "t"))
            }
        }
    }

    /// Does something with a service, and looks at the addresses that were asked.
    private func follow(
        _ text: String, _ transport: ScriptedTransport,
        _ work: (DataRequestService) async throws -> Void
    ) async {
        do { try await work(try makeService(transport)) } catch {
            #expect(error is DataRequestError, "\(text.debugDescription): \(error)")
        }
        for request in transport.requests {
            let port = RandomAddress.port(of: request.url)
            #expect(
                port.isEmpty || (1...65_535).contains(Int(port) ?? 0),
                "\(text.debugDescription) led to the port \(port)")
        }
    }
}

/// Addresses as a hostile server might name them.
enum RandomAddress {
    private static let ports = [
        "", ":", ":80", ":0", ":1", ":65535", ":65536", ":70000", ":4294967376",
        ":18446744073709551696", ":99999999999999999999", ":-1", ":+80", ":0x50", ":8 0", ":٣",
        ":80:90", ":00000000000000000000080", ":\u{301}80", ":80\u{301}",
    ]
    private static let hosts = [
        "127.0.0.1", "localhost", "[::1]", "[::ffff:127.0.0.1]", "0x7f.1", "2130706433", "", ".",
        "[::1", "::1", "[fe80::1%25lo]", "127.0.0.1.", "local\u{301}host", "%6cocalhost", "a b",
        "127.0.0.1\u{0}", "[", "]", "a@127.0.0.1", "u:p@127.0.0.1", "127.0.0.1\\@x",
    ]
    private static let schemes = [
        "http", "https", "HTTP", "ftp", "", "http+unix", "ht\u{301}tp", "//", "javascript",
    ]
    private static let tails = [
        "", "/", "/x", "?a", "#f", "/..", "//x", "/\u{301}", "?\u{301}", "/%2e%2e/", "\\x",
        "/a:99999",
        "?:99999", "@:99999", "/\r\n", "/%00",
    ]

    static func text(using generator: inout SeededNumbers) -> String {
        func one(_ of: [String]) -> String { of.randomElement(using: &generator) ?? "" }
        let scheme = one(schemes)
        let head = ["//", ""].contains(scheme) ? scheme : scheme + "://"
        return head + one(hosts) + one(ports) + one(tails)
    }

    /// What stands in an address as its port.
    static func port(of url: URL) -> String {
        let text = Array(url.absoluteString.unicodeScalars.drop { $0 != ":" }.dropFirst(3))
        let authority = text.prefix { !["/", "?", "#"].contains($0) }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? []
        let rest = place.split(separator: "]", omittingEmptySubsequences: false).last ?? []
        guard let colon = rest.lastIndex(of: ":") else { return "" }
        return rest[rest.index(after: colon)...].map { String($0) }.joined()
    }
}
#endif
