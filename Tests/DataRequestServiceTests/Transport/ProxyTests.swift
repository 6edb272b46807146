#if Requests
import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import DataRequestService

/// Requests that pass a proxy of scripted bytes.
@Suite(.generousTimeLimit) struct ProxyTests {
    private typealias Proxy = AsyncHTTPTransport.Proxy

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"

    /// Runs with a proxy that answers each request by itself, and records what it received.
    private func withProxy(
        answering answer: String = ok, credentials: (user: String, password: String)? = nil,
        _ security: SecurityPolicy = SecurityPolicy(cleartext: .allowed),
        run: @escaping @Sendable (AsyncHTTPTransport) async throws -> Void
    ) async throws -> [String] {
        let (heads, head) = AsyncStream.makeStream(of: String.self)
        try await withRawServer { raw, _ in
            while true {
                let text = await raw.readHead()
                guard !text.isEmpty else { return }
                head.yield(text)
                try await raw.write(answer)
            }
        } run: { url in
            var configuration = AsyncHTTPTransport.Configuration.patient
            configuration.proxy = .http(
                host: "127.0.0.1", port: url.port ?? 0, credentials: credentials)
            try await withTransport(security, configuration) { try await run($0) }
        }
        head.finish()
        return await heads.reduce(into: []) { $0.append($1) }
    }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func `a request without TLS is sent to the proxy with its whole address`() async throws {
        let heads = try await withProxy { transport in
            let url = try url("http://ada@api.test:8080/v1/tracks?q=a%20b&page=2#top")
            let answer = try await transport.send(OutgoingRequest(url: url))
            #expect(answer.url == url)
            let text = try await answer.text()
            #expect(text == "ok")
            let plain = try await transport.send(
                OutgoingRequest(url: try self.url("http://other.test"))
            ).text()
            #expect(plain == "ok")
            let six = try await transport.send(
                OutgoingRequest(url: try self.url("HTTP://[fd00::1]:80/x"))
            ).text()
            #expect(six == "ok")
        }
        let lines = heads.map { $0.components(separatedBy: "\r\n") }
        #expect(
            lines.map(\.[0]) == [
                "GET http://api.test:8080/v1/tracks?q=a%20b&page=2 HTTP/1.1",
                "GET http://other.test/ HTTP/1.1", "GET http://[fd00::1]/x HTTP/1.1",
            ])
        for (line, host) in zip(lines, ["api.test:8080", "other.test", "[fd00::1]"]) {
            #expect(line.filter { $0.lowercased().hasPrefix("host:") } == ["Host: \(host)"])
            // Proxies that end a connection without a word lose nothing by that.
            #expect(line.contains("Connection: close"))
            #expect(!line.joined().lowercased().contains("x-skiathos"))
            #expect(!line.joined().lowercased().contains("proxy-authorization"))
        }
    }

    @Test func `credentials go to the proxy, and the body with the request`() async throws {
        let heads = try await withProxy(credentials: ("ada", "se:cret")) { transport in
            var request = OutgoingRequest(
                method: .post, url: try url("http://api.test/tracks"),
                headers: [.proxyAuthorization: "Basic b3RoZXI="], body: .data(Data("{}".utf8)))
            // Headers of this name are the transport's own.
            request.headers[try #require(HTTPField.Name("X-Skiathos-Target"))] = "http://evil.test/"
            _ = try await transport.send(request).text()
        }
        let lines = try #require(heads.first).components(separatedBy: "\r\n")
        #expect(lines[0] == "POST http://api.test/tracks HTTP/1.1")
        let credentials = Data("ada:se:cret".utf8).base64EncodedString()
        #expect(
            lines.filter { $0.lowercased().hasPrefix("proxy-authorization:") }
                == ["Proxy-Authorization: Basic \(credentials)"])
        #expect(!lines.joined().contains("evil"))
    }

    @Test func `the target header of a direct request is ignored`() async throws {
        let name = try #require(HTTPField.Name("X-Skiathos-Target"))
        try await withRawServer { raw, _ in
            let head = await raw.readHead()
            #expect(head.hasPrefix("GET / HTTP/1.1\r\n"))
            #expect(!head.contains("evil"))
            try await raw.write(Self.ok)
        } run: { url in
            try await withTransport { transport in
                let request = OutgoingRequest(url: url, headers: [name: "http://evil.test/"])
                _ = try await transport.send(request).text()
            }
        }
    }

    @Test func `a request over TLS opens a tunnel through the proxy`() async throws {
        let refused = try await withProxy(answering: "HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n")
        {
            transport in
            let url = try url("https://api.test/tracks?token=secret")
            let error = await expectError(.connectionFailed) {
                _ = try await transport.send(OutgoingRequest(url: url))
            }
            let message = error?.message ?? ""
            #expect(message.contains("refused by the proxy"))
            #expect(message.contains("through the proxy http://127.0.0.1:"))
            #expect(!message.contains("secret"))
        }
        #expect(refused.first?.hasPrefix("CONNECT api.test:443 HTTP/1.1\r\n") == true)
        _ = try await withProxy(
            answering: "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
            credentials: ("a", "secret")
        ) { transport in
            let url = try url("https://api.test/")
            let error = await expectError(.connectionFailed) {
                _ = try await transport.send(OutgoingRequest(url: url))
            }
            #expect(error?.message.contains("requires credentials") == true)
            #expect(error.map { "\($0)".contains("secret") } == false)
        }
    }

    @Test func `the error names an unreachable proxy`() async throws {
        var configuration = AsyncHTTPTransport.Configuration.patient
        configuration.proxy = .http(host: "127.0.0.1", port: 1, credentials: ("ada", "secret"))
        try await withTransport(SecurityPolicy(cleartext: .allowed), configuration) { transport in
            for text in ["http://api.test/", "https://api.test/"] {
                let url = try url(text)
                let error = await expectError(.connectionFailed) {
                    _ = try await transport.send(OutgoingRequest(url: url))
                }
                #expect(error?.message.contains("through the proxy http://127.0.0.1:1") == true)
                #expect(error?.retry == .later)
            }
        }
    }

    @Test func `requests to excepted hosts are sent directly`() async throws {
        try await withRawServer { raw, _ in
            let head = await raw.readHead()
            #expect(head.hasPrefix("GET /x HTTP/1.1\r\n"))
            try await raw.write(Self.ok)
        } run: { url in
            var configuration = AsyncHTTPTransport.Configuration.patient
            configuration.proxy = .http(host: "127.0.0.1", port: 1).except("127.0.0.0/8")
            try await withTransport(SecurityPolicy(), configuration) { transport in
                let text = try await transport.send(OutgoingRequest(url: url.appending(path: "x")))
                    .text()
                #expect(text == "ok")
            }
        }
    }

    @Test func `a request without TLS to this machine is not sent through a remote proxy`()
        async throws
    {
        let policy = SecurityPolicy()
        var configuration = AsyncHTTPTransport.Configuration.patient
        configuration.proxy = .http(host: "proxy.test", port: 3128)
        try await withTransport(policy, configuration) { transport in
            let error = await expectError(.cleartextRefused) {
                _ = try await transport.send(OutgoingRequest(url: try url("http://localhost:1/")))
            }
            #expect(error?.message.contains("except(\"localhost\")") == true)
        }
    }

    @Test(arguments: [
        ("example.com", "example.com", true), ("example.com", "api.example.com", true),
        (".example.com", "example.com", true), ("*.example.com", "api.example.com", true),
        ("example.com", "notexample.com", false), ("Example.COM.", "example.com", true),
        ("example.com:8080", "example.com", false), ("example.com:80", "example.com", true),
        ("10.0.0.0/8", "10.255.0.1", true), ("10.0.0.0/8", "11.0.0.1", false),
        ("10.0.0.0/8", "example.com", false), ("192.168.1.7", "192.168.1.7", true),
        ("192.168.1.7:81", "192.168.1.7", false), ("10.1.2.128/25", "10.1.2.127", false),
        ("fd00::/8", "[fd12::1]", true), ("fd00::/8", "[fe80::1]", false),
        ("[::2]:80", "[::2]", true), ("::2", "[::2]", true), ("0.0.0.0/0", "8.8.8.8", true),
        ("*", "anything.test", true), ("10.0.0.0/33", "10.0.0.1", false), (".", "a.test", false),
        ("", "a.test", false), ("<local>", "a.test", false),
    ])
    func `exceptions name hosts as no_proxy does`(
        _ item: String, _ host: String, _ isDirect: Bool
    ) throws {
        let proxy = Proxy.http(host: "proxy.test", port: 3128).except(item)
        let route = Route(to: try url("http://\(host)/"), isTLS: false, by: proxy)
        #expect((route == .direct) == isDirect, "\(item), \(host)")
    }
}
#endif
