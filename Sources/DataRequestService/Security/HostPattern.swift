#if Requests
import DataRequestCore

/// The hosts that a set of pins is for.
struct HostPattern: Sendable, Hashable {
    private enum Kind: Sendable, Hashable { case exact, oneLabel, anyLabels }

    private let kind: Kind
    /// The name without the wildcard, in lower case.
    private let name: String

    /// Parses `api.example.com`, `*.example.com` or `**.example.com`; nil for other texts.
    init?(_ text: String) {
        let text = HostPattern.normalized(text)
        if text.begins(with: "**.") {
            (kind, name) = (.anyLabels, text.dropping(first: 3))
        } else if text.begins(with: "*.") {
            (kind, name) = (.oneLabel, text.dropping(first: 2))
        } else {
            (kind, name) = (.exact, text)
        }
        guard !name.isEmpty, !name.begins(with: "."), !name.has("*"), !name.has("/") else {
            return nil
        }
    }

    /// How exactly the pattern matches the host, the greater the more exact; nil if it does
    /// not match.
    func precision(for host: String) -> Int? {
        switch kind {
        case .exact: return host.equals(name) ? .max : nil
        case .oneLabel:
            guard host.ends(with: "." + name) else { return nil }
            let label = host.dropping(last: name.utf8.count + 1)
            return label.isEmpty || label.has(".") ? nil : 2 * name.utf8.count + 1
        case .anyLabels:
            let matches = host.equals(name) || host.ends(with: "." + name)
            return matches ? 2 * name.utf8.count : nil
        }
    }

    /// A host in lower case, without the root's dot and the brackets of IPv6.
    static func normalized(_ host: String) -> String {
        var host = unbracketed(host.lowercased())
        if host.ends(with: ".") { host = host.dropping(last: 1) }
        return host
    }

    /// A host without the brackets of IPv6.
    static func unbracketed(_ host: String) -> String {
        host.begins(with: "[") && host.ends(with: "]") ? host.dropping(first: 1, last: 1) : host
    }

    /// A host with brackets if it is an address of IPv6, as before a port.
    static func bracketed(_ host: String) -> String { host.has(":") ? "[\(host)]" : host }
}
#endif
