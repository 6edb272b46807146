#if RequestCore
public import PlatformFoundation

/// What the last exchanges with the base host say about reaching it.
///
/// It is a memory, not a promise: `reachable` means that the host has answered, not that it will.
/// Linux cannot tell an application whether a host can be reached, so nothing else is asked.
public enum Reachability: Sendable, Hashable {
    /// Nothing was sent yet, or too little has failed to say.
    case unknown
    /// The host has answered, with whatever status, for the first time at the date since it did
    /// not.
    case reachable(since: Date)
    /// Nothing could be exchanged several times in a row, lastly for a reason.
    case unreachable(since: Date, DataRequestError.Code)

    /// Whether the host has answered lastly.
    public var isReachable: Bool {
        guard case .reachable = self else { return false }
        return true
    }
}

/// When a host counts as unreachable, and how to find out that it is back.
public struct ReachabilityPolicy: Sendable, Hashable {
    /// After how many failures in a row the host is unreachable, at least 1.
    public var failures: Int
    /// The path below the base URL that is asked while the host is unreachable; nil asks nothing,
    /// and only calls find out.
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
    /// Whether the base host has answered lastly.
    public var reachability: Reachability { monitor.current }

    /// The present value and each change, for a listener of its own.
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
