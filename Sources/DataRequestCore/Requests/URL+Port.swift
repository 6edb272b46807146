#if RequestCore
import SkiathosPlatformFoundation

extension URL {
    /// The port that the address names, or that of its scheme; nil if it is not a valid port.
    ///
    /// Foundation returns no port for a number that overflows an integer. A port above 65535
    /// traps where it becomes a socket address. So this reads the text of the address.
    package var checkedPort: Int? {
        let text = absoluteURL.absoluteString.utf8
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let place = text[text.index(after: colon)...]
        let usual = scheme?.lowercased() == "https" ? 443 : 80
        guard place.starts(with: "//".utf8) else { return usual }
        let authority = place.dropFirst(2).prefix { !"/?#".utf8.contains($0) }
        let host =
            authority.lastIndex(of: UInt8(ascii: "@"))
            .map { authority[authority.index(after: $0)...] } ?? authority
        // Colons in brackets are those of an address of IPv6.
        let behind =
            host.lastIndex(of: UInt8(ascii: "]"))
            .map { host[host.index(after: $0)...] } ?? host
        guard let sign = behind.lastIndex(of: UInt8(ascii: ":")) else { return usual }
        let digits = behind[behind.index(after: sign)...]
        if digits.isEmpty { return usual }
        guard let port = Substring(digits).digits, (1...65_535).contains(port) else { return nil }
        return port == self.port ? port : nil
    }
}
#endif
