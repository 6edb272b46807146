#if Requests
import AsyncHTTPClient
import DataRequestCore
import NIOHTTP1
import SkiathosPlatformFoundation

extension HTTPClientRequest {
    /// The header that carries the whole address to `ConnectionGuard`; never sent.
    static let targetHeader = "x-skiathos-target"

    /// Applies a route to a request.
    ///
    /// The client uses proxies only as tunnels. So a request that a proxy has to read is sent
    /// to the proxy as to a server. It gets the whole address as its target (RFC 9112, 3.2.2)
    /// when it is written to the connection.
    mutating func apply(_ route: Route, to url: URL) {
        headers.remove(name: Self.targetHeader)
        guard case .forward(let proxy) = route else { return }
        let origin = url.origin
        let target = url.target
        self.url = route.connection(to: url).absoluteString
        headers.replaceOrAdd(name: Self.targetHeader, value: "http://\(origin)\(target)")
        // Tinyproxy and others close the connection after a response without announcing it,
        // and would lose a request that follows.
        headers.replaceOrAdd(name: "Connection", value: "close")
        if !headers.contains(name: "host") { headers.add(name: "Host", value: origin) }
        if let authorization = proxy.authorization {
            headers.replaceOrAdd(name: "Proxy-Authorization", value: authorization)
        }
    }
}

extension URL {
    /// The host and the port, if it is not that of http.
    fileprivate var origin: String {
        let host = HostPattern.bracketed(HostPattern.unbracketed(host(percentEncoded: true) ?? ""))
        guard let port = checkedPort, port != 80 else { return host }
        return "\(host):\(port)"
    }

    /// The path and the query, without user and fragment.
    fileprivate var target: String {
        let path = path(percentEncoded: true)
        return (path.isEmpty ? "/" : path) + (query(percentEncoded: true).map { "?\($0)" } ?? "")
    }
}
#endif
