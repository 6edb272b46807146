#if Requests
import DataRequestCore
import SkiathosPlatformFoundation

extension SecurityPolicy {
    /// The requirement on a connection to a host.
    enum Demand: Equatable {
        /// Nothing, since there is no TLS.
        case nothing
        /// A certificate that the trust accepts.
        case trusted
        /// A certificate that the trust accepts, and one of the pins of this set.
        case pinned(Int)
    }

    /// The requirement on a connection to the host.
    ///
    /// - Throws: `cleartextRefused`, `pinsExpired`, or `untrusted` for a host without pins where
    ///   pins alone are trusted.
    func demand(host: String, isTLS: Bool, now: Date) throws -> Demand {
        if pins.isEmpty, isTLS, !trustsPinsAlone { return .trusted }
        let host = HostPattern.normalized(host)
        let index = pinSet(for: host)
        guard isTLS else {
            try checkCleartext(to: host, isPinned: index != nil)
            return .nothing
        }
        if let index {
            guard pins[index].isExpired(at: now) else { return .pinned(index) }
            if pins[index].afterExpiry == .refuse { throw expired(pins[index], host: host) }
        }
        guard !trustsPinsAlone else {
            throw DataRequestError(
                .untrusted,
                "\(host) has no pins in force, and the policy trusts pins alone. "
                    + "Add a set of pins for it, or trust authorities.")
        }
        return .trusted
    }

    var trustsPinsAlone: Bool {
        if case .pinsOnly = trust { true } else { false }
    }

    private func pinSet(for host: String) -> Int? {
        var best: (index: Int, precision: Int)?
        for (index, set) in pins.enumerated() {
            guard let precision = set.precision(for: host) else { continue }
            if best.map({ precision > $0.precision }) ?? true { best = (index, precision) }
        }
        return best?.index
    }

    private func checkCleartext(to host: String, isPinned: Bool) throws {
        // A host with pins is known to support TLS, so http to it is a mistake or a downgrade
        // attack.
        if isPinned {
            throw DataRequestError(
                .cleartextRefused,
                "\(host) has pins, which a request without TLS would bypass. Use https.")
        }
        switch cleartext {
        case .allowed: return
        case .loopbackOnly where SecurityPolicy.isLoopback(host): return
        case .loopbackOnly, .refused:
            throw DataRequestError(
                .cleartextRefused,
                "The policy lets no request without TLS go to \(host). "
                    + "Use https, or allow cleartext in the policy.")
        }
    }

    /// Throws `cleartextRefused` for a remote proxy, if no request without TLS may leave the
    /// machine.
    func checkCleartext(to host: String, through proxy: AsyncHTTPTransport.Proxy.Server) throws {
        guard cleartext == .loopbackOnly,
            !SecurityPolicy.isLoopback(HostPattern.normalized(proxy.host))
        else { return }
        throw DataRequestError(
            .cleartextRefused,
            "The policy lets requests without TLS go to this machine alone, and the proxy \(proxy) would "
                + "carry the one to \(host) to another machine. Call except(\"\(host)\") of the proxy, or allow "
                + "cleartext in the policy.")
    }

    private func expired(_ set: PinSet, host: String) -> DataRequestError {
        let date = set.expires.map { $0.formatted(.iso8601) } ?? "an unknown date"
        return DataRequestError(
            .pinsExpired,
            "The pins of \(host) expired on \(date), so it is refused. "
                + "Ship an update with its present pins: \(set.pins.count) were set.")
    }

    /// Whether a normalized host is this machine by its name alone, without a resolver.
    static func isLoopback(_ host: String) -> Bool {
        if host.equals("localhost") || host.ends(with: ".localhost") || host.equals("::1") {
            return true
        }
        let parts = host.parts(at: ".")
        return parts.count == 4 && parts[0].equals("127")
            && parts.allSatisfy { $0.digits.map { $0 < 256 } ?? false }
    }
}
#endif
