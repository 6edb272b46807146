#if Requests
import DataRequestCore
public import SkiathosPlatformFoundation

/// Which servers are trusted, and how: one value for this service and for every other client.
///
/// ```swift
/// let policy = SecurityPolicy(
///     minimumTLS: .v13,
///     pins: [try PinSet(hosts: "api.example.com", pins: [current, backup])])
/// let service = try DataRequestService(environment: production, security: policy)
/// // connects to api.example.com only over TLS 1.3, and only if its key is one of the two
/// ```
///
/// Without arguments: the roots of the system, TLS 1.2 or later, no pins, and requests without TLS
/// to the machine itself alone.
public struct SecurityPolicy: Sendable {
    /// Certificates or a key: the bytes, or a file that is read when the policy is used.
    public enum Source: Sendable {
        /// PEM text in a file.
        case pemFile(String)
        /// DER in a file.
        case derFile(String)
        /// PEM text.
        case pem(Data)
        /// DER.
        case der(Data)
    }

    /// Whose signature makes a certificate trusted.
    public enum Trust: Sendable {
        /// The authorities that the system trusts.
        case system
        /// These authorities alone.
        case authorities([Source])
        /// No authority: only the pins, so a self-signed certificate is sufficient.
        ///
        /// Hosts without pins are refused, and names and dates of certificates are not
        /// checked.
        case pinsOnly
    }

    /// A version of TLS.
    public enum TLSVersion: Sendable, Hashable {
        /// TLS 1.2 (RFC 5246).
        case v12
        /// TLS 1.3 (RFC 8446).
        case v13
    }

    /// Where requests may go without TLS.
    public enum Cleartext: Sendable, Hashable {
        /// Nowhere.
        case refused
        /// To `localhost`, names below it, `127.0.0.0/8` and `::1`: nothing leaves the machine.
        case loopbackOnly
        /// Everywhere but to hosts that have pins.
        case allowed
    }

    /// The client certificate, for servers that request one.
    public struct Identity: Sendable, CustomStringConvertible, CustomReflectable {
        let chain: Source
        let key: Source

        /// Makes an identity from the certificate, followed by the intermediate ones, and its
        /// key.
        public init(chain: Source, key: Source) {
            self.chain = chain
            self.key = key
        }

        /// A description without the key.
        public var description: String { "Identity(<key not shown>)" }
        /// Shows nothing.
        public var customMirror: Mirror { Mirror(self, children: [:]) }
    }

    /// Whose signature makes a certificate trusted.
    public var trust: Trust
    /// The oldest version of TLS that is allowed.
    public var minimumTLS: TLSVersion
    /// The client's own certificate, if servers request one.
    public var identity: Identity?
    /// Where requests may go without TLS.
    public var cleartext: Cleartext
    /// The pins, for each host or group of hosts.
    public var pins: [PinSet]

    /// Makes a policy.
    public init(
        trust: Trust = .system, minimumTLS: TLSVersion = .v12, identity: Identity? = nil,
        cleartext: Cleartext = .loopbackOnly, pins: [PinSet] = []
    ) {
        self.trust = trust
        self.minimumTLS = minimumTLS
        self.identity = identity
        self.cleartext = cleartext
        self.pins = pins
    }
}
#endif
