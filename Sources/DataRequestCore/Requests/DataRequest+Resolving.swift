import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DataRequest {
    /// The request with its absolute address and all its headers.
    func resolved(in environment: ServerEnvironment) throws -> OutgoingRequest {
        var url: URL
        switch target {
        case .path(let path): url = environment.baseURL.appending(path: path)
        case .foreign(let foreign): url = foreign
        }
        if !query.isEmpty {
            url.append(queryItems: query.map { URLQueryItem(name: $0.name, value: $0.value) })
        }
        var headers = options.isForeign ? [:] : environment.headers
        for field in self.headers { headers[field.name] = nil }
        for field in self.headers { headers.append(field) }
        return OutgoingRequest(
            method: method, url: url, headers: headers, body: body, options: options)
    }
}
