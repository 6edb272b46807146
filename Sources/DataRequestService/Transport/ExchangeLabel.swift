#if Requests
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// Names an exchange in messages, without secrets: method, host, port and proxy.
struct ExchangeLabel: Sendable, CustomStringConvertible {
    private let method: HTTPRequest.Method
    private let url: URL
    private let proxy: AsyncHTTPTransport.Proxy.Server?

    init(_ request: OutgoingRequest, by route: Route = .direct) {
        method = request.method
        url = request.url
        proxy = route.proxy
    }

    var description: String {
        "\(method.rawValue) to \(url.host() ?? "?")\(url.port.map { ":\($0)" } ?? "")"
            + (proxy.map { " through the proxy \($0)" } ?? "")
    }
}
#endif
