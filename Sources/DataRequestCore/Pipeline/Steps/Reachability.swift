#if RequestCore
public import SkiathosPlatformFoundation

/// Whether the last exchanges with the base host have reached it.
///
/// It describes the past: `reachable` means that the host has answered, not that it will.
/// Linux cannot tell an application whether a host can be reached, so no other source is used.
public enum Reachability: Sendable, Hashable {
    /// Nothing was sent yet, or fewer exchanges have failed than the policy requires.
    case unknown
    /// The host answers, with any status; `since` is the date of the first answer after it was
    /// unknown or unreachable.
    case reachable(since: Date)
    /// Several exchanges in a row have failed, the last one with this code.
    case unreachable(since: Date, DataRequestError.Code)

    /// Whether the host answered the last exchange.
    public var isReachable: Bool {
        guard case .reachable = self else { return false }
        return true
    }
}

/// When a host counts as unreachable, and how to find out that it is back.
public struct ReachabilityPolicy: Sendable, Hashable {
    /// The number of failures in a row after which the host is unreachable, at least 1.
    public var failures: Int
    /// The path below the base URL that is probed while the host is unreachable.
    ///
    /// With nil there are no probes, and only calls detect that the host is back.
    public var probePath: String?
    /// The wait before the first probe, which doubles with each.
    public var probeDelay: Duration
    /// The longest wait between probes.
    public var maximumProbeDelay: Duration

    /// Makes a policy; by default two failures in a row, and no probes.
    public init(
        failures: Int = 2, probePath: String? = nil, probeDelay: Duration = .seconds(1),
        maximumProbeDelay: Duration = .seconds(60)
    ) {
        self.failures = failures
        self.probePath = probePath
        self.probeDelay = probeDelay
        self.maximumProbeDelay = maximumProbeDelay
    }
}

extension DataRequestService {
    /// Whether the base host answered the last exchanges.
    public var reachability: Reachability { monitor.current }

    /// The current value and each change; each access returns a new stream.
    ///
    /// ```swift
    /// for await reachability in service.reachabilityChanges { show(reachability) }
    /// ```
    ///
    /// A slow listener gets the newest value alone. It becomes `unknown` with a switch of the
    /// environment, and the stream ends when the service is shut down.
    public var reachabilityChanges: AsyncStream<Reachability> { monitor.changes }
}
#endif
