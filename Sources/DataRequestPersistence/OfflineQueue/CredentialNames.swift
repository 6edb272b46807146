#if RequestCore
import DataRequestCore

/// Recognises names of headers and query items that carry secrets.
enum CredentialNames {
    private static let names: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-csrf", "signature",
    ]
    private static let parts = [
        "token", "secret", "password", "passwd", "api-key", "apikey", "credential", "session",
    ]

    /// Whether a header or query item with this name carries a secret.
    static func isCredentialName(_ name: String) -> Bool {
        let name = name.lowercased().parts(at: "_").joined(separator: "-")
        return names.contains(name) || parts.contains { name.has(text: $0) }
    }
}
#endif
