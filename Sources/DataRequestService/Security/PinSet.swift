#if Requests
import DataRequestCore
public import SkiathosPlatformFoundation

/// The pins of some hosts: a connection is used only if one of them is the server's.
///
/// ```swift
/// let pins = try PinSet(
///     hosts: "api.example.com", "*.cdn.example.com",
///     pins: [
///         .publicKey(sha256: "r/mIkG3eEpVdm+u/ko/cwxzOMo1bk4TyHIlByibiA5E="),
///         .publicKey(sha256: "WoiWRyIOVNa9ihaBciRSC7XHjliYS9VwUGOIud4PB18="),  // the backup
///     ])
/// ```
///
/// `*.` matches one label, `**.` any number of labels, also none. If several sets match a
/// host, only the most exact one counts.
public struct PinSet: Sendable {
    /// What happens to the hosts once the pins have expired.
    public enum AfterExpiry: Sendable, Hashable {
        /// Every request is refused with `pinsExpired`, until the application has new pins.
        case refuse
        /// The certificates are verified as those of hosts without pins.
        case ignorePins
    }

    /// The hosts, as given.
    public let hosts: [String]
    /// The pins, of which one must match.
    public let pins: [Pin]
    /// When the pins cease to hold; nil never.
    public let expires: Date?
    /// What happens then.
    public let afterExpiry: AfterExpiry
    let patterns: [HostPattern]

    /// Makes a set.
    ///
    /// - Parameters:
    ///   - hosts: Names such as `api.example.com`, `*.example.com` or `**.example.com`, without
    ///     scheme and port.
    ///   - pins: At least two different ones: that of the key in use, and that of a backup
    ///     key. If the only pinned key is lost, every installed client is locked out.
    ///   - allowingSinglePin: Allows a single pin.
    ///   - expires: When the pins cease to hold; nil never.
    ///   - afterExpiry: What happens then.
    /// - Throws: `invalidPolicy` if a host is not such a name or there are too few pins.
    public init(
        hosts: String..., pins: [Pin], allowingSinglePin: Bool = false, expires: Date? = nil,
        afterExpiry: AfterExpiry = .refuse
    ) throws {
        let needed = allowingSinglePin ? 1 : 2
        let distinct = Set(pins).count
        guard distinct >= needed else {
            throw DataRequestError(
                .invalidPolicy,
                "Pins of \(hosts.joined(separator: ", ")): expected at least \(needed) different "
                    + "ones, found \(distinct). Add the pin of a backup key, or set allowingSinglePin."
            )
        }
        patterns = try hosts.map { host in
            if let pattern = HostPattern(host) { return pattern }
            throw DataRequestError(
                .invalidPolicy,
                "Expected a host such as api.example.com or *.example.com to pin, found \"\(host)\"."
            )
        }
        guard !patterns.isEmpty else {
            throw DataRequestError(
                .invalidPolicy, "Expected at least one host for the pins, found none.")
        }
        self.hosts = hosts
        self.pins = pins
        self.expires = expires
        self.afterExpiry = afterExpiry
    }

    func precision(for host: String) -> Int? {
        patterns.compactMap { $0.precision(for: host) }.max()
    }

    func isExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}
#endif
