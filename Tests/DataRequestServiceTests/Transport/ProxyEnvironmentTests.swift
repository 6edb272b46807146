#if Requests
import Foundation
import TestSupport
import Testing

@testable import DataRequestService

/// The variables of the environment that name proxies.
@Suite struct ProxyEnvironmentTests {
    private typealias Proxy = AsyncHTTPTransport.Proxy

    private func route(
        _ variables: [String: String], to address: String = "http://api.test/"
    ) throws -> Route {
        let url = try #require(URL(string: address))
        return Route(to: url, isTLS: url.scheme == "https", by: try .environment(variables))
    }

    @Test func `each scheme has its own proxy`() throws {
        let variables = [
            "http_proxy": "http://plain.test:3128", "https_proxy": "secure.test:8080/",
            "NO_PROXY": "internal.test, 10.0.0.0/8",
        ]
        #expect(
            try route(variables) == .forward(.init(kind: .http, host: "plain.test", port: 3128)))
        #expect(
            try route(variables, to: "https://api.test/")
                == .tunnel(.init(kind: .http, host: "secure.test", port: 8080)))
        for address in [
            "http://internal.test/", "https://a.internal.test/", "http://10.1.1.1/",
            "http://localhost:8080/", "http://127.0.0.9/", "http://[::1]/", "http://a.localhost/",
        ] {
            #expect(try route(variables, to: address) == .direct, "\(address)")
        }
        #expect(try route([:]) == .direct)
        #expect(try route(["https_proxy": "http://secure.test"]) == .direct)
    }

    @Test func `lowercase variables win, and an empty variable names no proxy`() throws {
        let upper = ["HTTP_PROXY": "http://upper.test:1", "ALL_PROXY": "socks5://all.test"]
        #expect(try route(upper) == .forward(.init(kind: .http, host: "upper.test", port: 1)))
        #expect(
            try route(upper, to: "https://api.test/")
                == .tunnel(.init(kind: .socks5, host: "all.test", port: 1_080)))
        let lower = upper.merging(["http_proxy": "lower.test"]) { $1 }
        #expect(try route(lower) == .forward(.init(kind: .http, host: "lower.test", port: 80)))
        #expect(try route(["http_proxy": "", "HTTP_PROXY": "http://upper.test:1"]) == .direct)
        #expect(
            try route(["http_proxy": "http://a.test", "no_proxy": "*", "NO_PROXY": ""]) == .direct)
        // A server hands the header Proxy of a client to a CGI program in this variable.
        let hostile = ["REQUEST_METHOD": "GET", "HTTP_PROXY": "http://evil.test:1"]
        #expect(try route(hostile) == .direct)
    }

    @Test func `credentials are decoded, and shown nowhere`() throws {
        let proxy = try Proxy.environment([
            "https_proxy": "http://ada%40home:p%3Ass%2F@proxy.test:3128"
        ])
        #expect(proxy.secure?.user == "ada@home")
        #expect(proxy.secure?.password == "p:ss/")
        let shown = "\(proxy) \(String(reflecting: proxy)) \(String(describing: proxy.secure))"
        #expect(shown.contains("proxy.test:3128"))
        #expect(!shown.contains("ada"))
        #expect(!shown.contains("ss/"))
        let six = try Proxy.environment(["http_proxy": "http://[fd00::1]:3128"])
        #expect(six.plain?.host == "fd00::1")
        #expect("\(six)".contains("http://[fd00::1]:3128"))
    }

    @Test(arguments: [
        "https://ada:secret@proxy.test:3128", "ftp://ada:secret@proxy.test", "http://:secret",
        "http://ada:secret@proxy.test:0", "http://proxy.test:secret", "http://ada:%zz@secret",
        "socks5://ada:secret@proxy.test", "http://[secret]:80", "http://sec ret:80", "http://",
    ])
    func `a proxy that cannot be read is refused by the name of its variable`(
        _ value: String
    ) throws {
        for name in ["http_proxy", "HTTPS_PROXY", "all_proxy"] {
            let error = #expect(throws: DataRequestError.self) {
                try Proxy.environment([name: value])
            }
            #expect(error?.code == .invalidPolicy)
            #expect(error?.message.contains("the variable \(name)") == true)
            #expect(error?.message.contains("secret") == false)
        }
    }

    @Test func `a proxy without a host or with an invalid port is refused`() throws {
        for proxy in [Proxy.http(host: "", port: 1), .http(host: "a", port: 0), .socks5(host: "")] {
            var configuration = AsyncHTTPTransport.Configuration()
            configuration.proxy = proxy
            let error = #expect(throws: DataRequestError.self) {
                try AsyncHTTPTransport(configuration: configuration)
            }
            #expect(error?.code == .invalidPolicy)
        }
    }
}
#endif
