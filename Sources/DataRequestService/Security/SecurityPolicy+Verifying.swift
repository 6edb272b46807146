#if Requests
import DataRequestCore
public import NIOCore
public import NIOSSL
import PlatformFoundation

extension SecurityPolicy {
    /// What NIO calls with the certificates of a server in the place of its own verification.
    public typealias Verifier =
        @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResult>) -> Void

    /// A handler that checks the pins of a host, for channels that others make.
    ///
    /// ```swift
    /// let tls = try NIOSSLClientHandler(context: context, serverHostname: "api.example.com")
    /// try channel.pipeline.syncOperations.addHandlers(
    ///     tls, try policy.pinningHandler(for: "api.example.com"))
    /// ```
    ///
    /// It goes directly behind the TLS handler, one for each channel. NIO has verified the
    /// certificate by then, as `tlsConfiguration()` says. For a host without pins it lets all pass.
    ///
    /// - Throws: `pinsExpired`, or `invalidPolicy` if pins alone are trusted, where it is
    ///   `verifier(for:)` that has to be used.
    public func pinningHandler(for host: String) throws -> any ChannelDuplexHandler {
        guard !trustsPinsAlone else {
            throw DataRequestError(
                .invalidPolicy,
                "The policy trusts pins alone, which NIO verifies by a callback. Use verifier(for:)."
            )
        }
        guard let check = try pinCheck(for: host) else { return PassingHandler() }
        return PinningHandler(check: check)
    }

    /// A verification callback for clients of NIO that take one and give no place for a handler.
    ///
    /// ```swift
    /// let tls = try NIOSSLClientHandler(
    ///     context: context, serverHostname: nil,
    ///     customVerificationCallback: policy.verifier(for: "device.local"))
    /// ```
    ///
    /// NIO asks the callback **in the place** of verifying names, dates and signatures, so that it
    /// is right only where pins alone are trusted; elsewhere use `pinningHandler(for:)`.
    ///
    /// - Throws: `invalidPolicy` if the policy trusts authorities, `pinsExpired`, or `untrusted` if
    ///   the host has no pins.
    public func verifier(for host: String) throws -> Verifier {
        guard trustsPinsAlone, let check = try pinCheck(for: host) else {
            throw DataRequestError(
                .invalidPolicy,
                "A verification callback of NIO replaces the verification by authorities, which "
                    + "this policy asks for. Use pinningHandler(for:), or trust pins alone.")
        }
        return { certificates, promise in
            do {
                try check(certificates.first)
                promise.succeed(.certificateVerified)
            } catch {
                promise.fail(error)
            }
        }
    }

    private func pinCheck(for host: String) throws -> PinCheck? {
        switch try demand(host: host, isTLS: true, now: Date()) {
        case .pinned(let index): PinCheck(pins[index])
        case .trusted, .nothing: nil
        }
    }
}

/// Stands where a host has no pins.
private final class PassingHandler: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny
}
#endif
