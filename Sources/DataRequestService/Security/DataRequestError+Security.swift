#if Requests
public import DataRequestCore

extension DataRequestError.Code {
    /// The policy allows no request without TLS to that host.
    public static let cleartextRefused = Self(rawValue: "cleartextRefused")
    /// The pins of the host have expired, and the policy then refuses the host.
    public static let pinsExpired = Self(rawValue: "pinsExpired")
    /// The policy contradicts itself, or names a file that cannot be read.
    public static let invalidPolicy = Self(rawValue: "invalidPolicy")
}
#endif
