#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Requests that pass a proxy, over TLS and without.
@Suite(.generousTimeLimit, .serialized) struct ProxyTests {
    @Test(.needs(.squid), .needs(.nginx))
    func `requests pass Squid`() async throws {
        try await withPeer(.squid) { directory, port in
            let file = directory.appending(path: "squid.conf")
            try Data(
                """
                http_port 127.0.0.1:\(port)
                http_access allow all
                cache deny all
                access_log none
                cache_log \(directory.path)/log
                pid_filename \(directory.path)/squid.pid
                coredump_dir \(directory.path)
                pinger_enable off
                shutdown_lifetime 0 seconds

                """.utf8
            ).write(to: file)
            return ["-N", "-f", file.path]
        } run: { proxy in
            try await pass(proxy)
        }
    }

    @Test(.needs(.tinyproxy), .needs(.nginx))
    func `requests pass tinyproxy`() async throws {
        try await withPeer(.tinyproxy) { directory, port in
            let file = directory.appending(path: "tinyproxy.conf")
            try Data(
                """
                Port \(port)
                Listen 127.0.0.1
                Allow 127.0.0.1
                Timeout 600
                MaxClients 100
                LogFile "\(directory.path)/log"

                """.utf8
            ).write(to: file)
            return ["-d", "-c", file.path]
        } run: { proxy in
            try await pass(proxy)
        }
    }

    private func pass(_ proxy: Peer) async throws {
        let plain = try Ports.free()
        let server = """
            listen 127.0.0.1:\(plain);
            location / { return 200 ok; }
            location /away { return 302 https://127.0.0.1:65536/; }
            location /seen { return 200 "$http_host $request_uri via:$http_via"; }
            """
        try await withNginx(server) { peer, policy in
            try await passTunnels(of: proxy, to: peer, policy)
            try await beForwarded(by: proxy, to: plain)
            try await beToldOfTheCertificate(behind: proxy, of: peer)
        }
    }

    /// More requests at once than there are connections, over both versions of HTTP, and a redirect to
    /// a port that is none.
    private func passTunnels(
        of proxy: Peer, to peer: Peer, _ policy: SecurityPolicy
    ) async throws {
        for versions in [AsyncHTTPTransport.Configuration.Versions.automatic, .http1] {
            var connections = AsyncHTTPTransport.Configuration()
            connections.versions = versions
            connections.proxy = .http(host: "127.0.0.1", port: proxy.port)
            let service = try DataRequestService(
                environment: ServerEnvironment("nginx", baseURL: try peer.url("https")),
                security: policy, connections: connections)
            try await sendMany(service)
            let error = await #expect(throws: DataRequestError.self) {
                _ = try await service.get("away") as Data
            }
            #expect(error?.code == .redirectRefused)
            _ = await service.shutDown(deadline: .zero)
        }
    }

    /// Requests without TLS, which the proxy reads.
    private func beForwarded(by proxy: Peer, to port: Int) async throws {
        var connections = AsyncHTTPTransport.Configuration()
        connections.proxy = .http(host: "127.0.0.1", port: proxy.port)
        let base = try #require(URL(string: "http://127.0.0.1:\(port)"))
        let service = try DataRequestService(
            environment: ServerEnvironment("nginx", baseURL: base), connections: connections)
        try await sendMany(service)
        let request = DataRequest(.get, "seen").query("q", "a b")
        let seen = String(decoding: try await service.data(for: request), as: UTF8.self)
        #expect(seen.hasPrefix("127.0.0.1:\(port) /seen?q=a%20b via:1.1 "), "\(seen)")
        _ = await service.shutDown(deadline: .zero)
    }

    private func beToldOfTheCertificate(behind proxy: Peer, of peer: Peer) async throws {
        var connections = AsyncHTTPTransport.Configuration()
        connections.proxy = .http(host: "127.0.0.1", port: proxy.port)
        let service = try DataRequestService(
            environment: ServerEnvironment("nginx", baseURL: try peer.url("https")),
            connections: connections)
        let error = await #expect(throws: DataRequestError.self) {
            _ = try await service.get("t") as Data
        }
        #expect(error?.certificateProblem == .unknownIssuer)
        #expect(error?.message.contains("'Authority of a test'") == true)
        _ = await service.shutDown(deadline: .zero)
    }

    private func sendMany(_ service: DataRequestService) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask {
                    let answer = try await service.post("t/\(number)") as Data
                    #expect(answer == Data("ok".utf8))
                }
            }
            try await group.waitForAll()
        }
    }
}
#endif
