#if Requests
import DataRequestCore
import SkiathosPlatformLibC

/// Hosts to which requests go without a proxy, as an item of `no_proxy` names them.
enum ProxyException: Sendable, Hashable {
    case everything
    /// This machine, by its names and addresses.
    case loopback
    /// A host and its subdomains.
    case name(String, port: Int?)
    /// The addresses that begin with these bits.
    case addresses([UInt8], bits: Int, port: Int?)

    /// Reads an item; nil for an empty one.
    init?(_ text: String) {
        let text = text.trimmed.lowercased()
        guard !text.isEmpty else { return nil }
        if text.equals("*") {
            self = .everything
            return
        }
        if let range = Self.range(text) {
            self = range
            return
        }
        let (host, port) = Self.split(text)
        if let bytes = host.addressBytes {
            self = .addresses(bytes, bits: bytes.count * 8, port: port)
            return
        }
        let name = host.begins(with: "*.") ? host.dropping(first: 2) : host
        self = .name(
            HostPattern.normalized(name.begins(with: ".") ? name.dropping(first: 1) : name),
            port: port)
    }

    /// Whether the exception includes a host, given in lower case without brackets.
    func matches(_ host: String, port: Int) -> Bool {
        switch self {
        case .everything: return true
        case .loopback: return SecurityPolicy.isLoopback(host)
        case .name(let name, let own):
            return (own ?? port) == port && !name.isEmpty
                && (host.equals(name) || host.ends(with: "." + name))
        case .addresses(let start, let bits, let own):
            guard (own ?? port) == port, let bytes = host.addressBytes, bytes.count == start.count
            else { return false }
            return (0..<bits).allSatisfy { bit in
                (bytes[bit / 8] ^ start[bit / 8]) & (0x80 >> UInt8(bit % 8)) == 0
            }
        }
    }

    /// Reads `10.0.0.0/8` or `fd00::/8`.
    private static func range(_ text: String) -> ProxyException? {
        let parts = text.parts(at: "/")
        guard parts.count == 2, let bytes = HostPattern.normalized(parts[0]).addressBytes,
            let bits = parts[1].digits, bits <= bytes.count * 8
        else { return nil }
        return .addresses(bytes, bits: bits, port: nil)
    }

    /// The host without brackets, and the port behind it.
    private static func split(_ text: String) -> (String, Int?) {
        // A text with several colons and no brackets is an address of IPv6.
        let parts = text.parts(at: ":")
        if text.begins(with: "["), let end = text.utf8.lastIndex(of: UInt8(ascii: "]")) {
            let host = String(decoding: text.utf8[..<end].dropFirst(), as: UTF8.self)
            let behind = String(decoding: text.utf8[end...].dropFirst(2), as: UTF8.self)
            return (host, behind.digits)
        }
        guard parts.count == 2, let port = parts[1].digits else { return (text, nil) }
        return (parts[0], port)
    }
}

extension String {
    /// The bytes of an IPv4 or IPv6 address; nil if the text is neither.
    var addressBytes: [UInt8]? {
        var four = in_addr()
        if inet_pton(AF_INET, self, &four) == 1 { return withUnsafeBytes(of: four) { Array($0) } }
        var six = in6_addr()
        if inet_pton(AF_INET6, self, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        return nil
    }

    /// Whether the text is an address and not a name.
    var isAddress: Bool { addressBytes != nil }
}
#endif
