#if RequestCore
extension DataRequestError {
    /// What is wrong with the certificate of a server that is not trusted.
    ///
    /// ```swift
    /// do {
    ///     _ = try await service.get("tracks/7")
    /// } catch let error as DataRequestError where error.certificateProblem == .expired {
    ///     notifyOperators(error.message)   // … found a certificate that expired on 2026-11-20T…
    /// }
    /// ```
    ///
    /// New problems may be added, so a `switch` needs a `default`.
    public struct CertificateProblem: RawRepresentable, Hashable, Sendable,
        CustomStringConvertible
    {
        /// The stable name of the problem, for logs and metrics.
        public let rawValue: String
        /// Makes a problem.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the problem.
        public var description: String { rawValue }

        /// The certificate, or one between it and its authority, has expired.
        public static let expired = Self(rawValue: "expired")
        /// The certificate, or one between it and its authority, is not valid yet.
        public static let notYetValid = Self(rawValue: "notYetValid")
        /// The certificate signs itself, or was issued by an authority that is not trusted.
        public static let unknownIssuer = Self(rawValue: "unknownIssuer")
        /// The certificate is for other names than the host that was asked.
        public static let wrongHost = Self(rawValue: "wrongHost")
        /// The server sends its certificate without the one of its issuer, which is no authority.
        public static let incompleteChain = Self(rawValue: "incompleteChain")
    }
}
#endif
