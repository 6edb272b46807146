#if RequestCore
import PlatformFoundation

extension URL {
    /// The port that the address names, or that of its scheme; nil if what it names is none.
    ///
    /// A port that does not fit into an integer has none for Foundation, and one above 65535 ends the
    /// program where it becomes the address of a socket. So the text of the address decides.
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
