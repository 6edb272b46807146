#if Requests
/// The hosts that a set of pins is for.
struct HostPattern: Sendable, Hashable {
    private enum Kind: Sendable, Hashable { case exact, oneLabel, anyLabels }

    private let kind: Kind
    /// The name without the wildcard, in lower case.
    private let name: String

    /// Reads `api.example.com`, `*.example.com` or `**.example.com`; nil if it is none of them.
    init?(_ text: String) {
        let text = HostPattern.normalized(text)
        if text.hasPrefix("**.") {
            (kind, name) = (.anyLabels, String(text.dropFirst(3)))
        } else if text.hasPrefix("*.") {
            (kind, name) = (.oneLabel, String(text.dropFirst(2)))
        } else {
            (kind, name) = (.exact, text)
        }
        guard !name.isEmpty, !name.hasPrefix("."), !name.contains("*"), !name.contains("/") else {
            return nil
        }
    }

    /// How exactly the pattern names the host, the greater the more exact; nil if it does not.
    func precision(for host: String) -> Int? {
        switch kind {
        case .exact: return host == name ? .max : nil
        case .oneLabel:
            guard host.hasSuffix("." + name) else { return nil }
            let label = host.dropLast(name.count + 1)
            return label.isEmpty || label.contains(".") ? nil : 2 * name.utf8.count + 1
        case .anyLabels:
            let matches = host == name || host.hasSuffix("." + name)
            return matches ? 2 * name.utf8.count : nil
        }
    }

    /// A host in lower case, without the root's dot and the brackets of IPv6.
    static func normalized(_ host: String) -> String {
        var host = Substring(host.lowercased())
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        if host.hasSuffix(".") { host = host.dropLast() }
        return String(host)
    }
}
#endif
