#if RequestCore
import DataRequestCore

/// What tells names of headers and query items by which secrets are sent.
enum Credentials {
    private static let names: Set<String> = [
        "authorization", "proxy-authorization", "cookie", "set-cookie", "x-csrf", "signature",
    ]
    private static let parts = [
        "token", "secret", "password", "passwd", "api-key", "apikey", "credential", "session",
    ]

    /// Whether a name is one that secrets are sent by.
    static func isOne(_ name: String) -> Bool {
        let name = name.lowercased().parts(at: "_").joined(separator: "-")
        return names.contains(name) || parts.contains { name.has(text: $0) }
    }
}
#endif
