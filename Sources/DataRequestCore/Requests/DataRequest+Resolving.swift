#if RequestCore
import HTTPTypes
import SkiathosPlatformFoundation

extension DataRequest {
    /// The request with its absolute address and all its headers.
    ///
    /// - Throws: `invalidPath` for a path that would leave the base URL and an external address that
    ///   cannot be asked, `invalidHeader`, or what was wrong when the request was built.
    func resolved(
        in environment: EnvironmentRuntime, allowsExternalCleartext: Bool = false
    ) throws -> OutgoingRequest {
        if let failure { throw failure }
        var options = self.options
        let url: URL
        var headers: HTTPFields
        switch target {
        case .path(let path):
            options.isExternal = false
            url = try self.url(path, below: environment.base)
            headers = environment.environment.headers
        case .external(let address):
            options.isExternal = true
            url = try externalURL(address, allowsCleartext: allowsExternalCleartext)
            headers = [:]
        }
        if headers.isEmpty {
            headers = self.headers
        } else {
            for field in self.headers { headers[field.name] = nil }
            for field in self.headers { headers.append(field) }
        }
        if let priority = options.priority.header, headers[.priority] == nil {
            headers[.priority] = priority
        }
        return OutgoingRequest(
            method: method, url: url, headers: headers, body: body, options: options)
    }

    private func url(_ path: String, below base: BaseURL) throws -> URL {
        var text = base.prefix + (try PathEncoding.encoded(path))
        if !query.isEmpty { text += "?" + PathEncoding.encoded(query) }
        // The second check covers the case that the parser disagrees with the encoding above.
        guard let url = URL(string: text), url.absoluteString == text else {
            throw DataRequestError(
                .invalidPath, "The path cannot be appended to the base URL.")
        }
        return url
    }

    private func externalURL(_ address: URL, allowsCleartext: Bool) throws -> URL {
        guard let origin = Origin(address), address.user == nil, address.password == nil else {
            throw DataRequestError(
                .invalidPath,
                "An external address is not an absolute http or https address without a user and, if it "
                    + "names one, with a port from 1 to 65535.")
        }
        guard origin.isSecure || allowsCleartext else {
            throw DataRequestError(
                .invalidPath,
                "The external address \(origin) is not encrypted. Use https, or set "
                    + "Configuration.allowsExternalCleartext.")
        }
        guard !query.isEmpty || address.fragment != nil else { return address }
        var text = origin.description + address.path(percentEncoded: true)
        let parts = [
            address.query(percentEncoded: true), query.isEmpty ? nil : PathEncoding.encoded(query),
        ]
        let joined = parts.compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "&")
        if !joined.isEmpty { text += "?" + joined }
        guard let url = URL(string: text) else {
            throw DataRequestError(.invalidPath, "An external address cannot be given a query.")
        }
        return url
    }

    /// The subject for messages: method and address without query, user and fragment.
    func subject(in environment: EnvironmentRuntime) -> String {
        switch target {
        case .path(let path):
            let shown = path.prefix(before: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
            let encoded = (try? PathEncoding.encoded(shown)) ?? "/(refused path)"
            return "\(method) \(environment.base.prefix)\(PathEncoding.shown(encoded))"
        case .external(let url): return "\(method) \(url.withoutSecrets)"
        }
    }
}

extension URL {
    /// Scheme, host, port and path: what may stand in messages, logs and spans.
    var withoutSecrets: String {
        guard let origin = Origin(self) else { return "(not an address)" }
        return origin.description + PathEncoding.shown(path(percentEncoded: true))
    }
}
#endif
