#if Requests
import DataRequestCore
import SkiathosPlatformFoundation

/// The route of a request to its server.
enum Route: Sendable, Hashable {
    /// Over a connection to the server.
    case direct
    /// Over a connection to the server that passes through a proxy.
    case tunnel(AsyncHTTPTransport.Proxy.Server)
    /// Over a connection to a proxy, which reads the request and sends it on.
    case forward(AsyncHTTPTransport.Proxy.Server)

    /// The route to an address with a host.
    init(to url: URL, isTLS: Bool, by proxy: AsyncHTTPTransport.Proxy?) {
        let host = HostPattern.normalized(url.host(percentEncoded: false) ?? "")
        let port = url.checkedPort ?? 0
        guard let proxy, let server = isTLS ? proxy.secure : proxy.plain,
            !proxy.exceptions.contains(where: { $0.matches(host, port: port) })
        else {
            self = .direct
            return
        }
        self = server.kind == .http && !isTLS ? .forward(server) : .tunnel(server)
    }

    /// The proxy, if there is one.
    var proxy: AsyncHTTPTransport.Proxy.Server? {
        switch self {
        case .direct: nil
        case .tunnel(let proxy), .forward(let proxy): proxy
        }
    }

    /// The proxy that the client asks for a tunnel.
    var tunnel: AsyncHTTPTransport.Proxy.Server? {
        guard case .tunnel(let proxy) = self else { return nil }
        return proxy
    }

    /// The address to connect to.
    func connection(to url: URL) -> URL {
        guard case .forward(let proxy) = self else { return url }
        return URL(string: "http://\(HostPattern.bracketed(proxy.host)):\(proxy.port)/") ?? url
    }
}
#endif
