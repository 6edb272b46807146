#if Requests
import DataRequestCore
public import NIOCore
public import NIOSSL
import SkiathosPlatformFoundation

extension SecurityPolicy {
    /// The callback that NIO uses in place of its own verification of a server's certificates.
    public typealias Verifier =
        @Sendable ([NIOSSLCertificate], EventLoopPromise<NIOSSLVerificationResult>) -> Void

    /// A handler that checks the pins of a host, for channels made outside this module.
    ///
    /// ```swift
    /// let tls = try NIOSSLClientHandler(context: context, serverHostname: "api.example.com")
    /// try channel.pipeline.syncOperations.addHandlers(
    ///     tls, try policy.pinningHandler(for: "api.example.com"))
    /// ```
    ///
    /// Add one to each channel, directly after the TLS handler. NIO has verified the
    /// certificate by then, according to `tlsConfiguration()`. For a host without pins it
    /// passes everything.
    ///
    /// - Throws: `pinsExpired`, or `invalidPolicy` if only pins are trusted, which requires
    ///   `verifier(for:)`.
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

    /// A verification callback for NIO clients that accept one and have no place for a
    /// handler.
    ///
    /// ```swift
    /// let tls = try NIOSSLClientHandler(
    ///     context: context, serverHostname: nil,
    ///     customVerificationCallback: policy.verifier(for: "device.local"))
    /// ```
    ///
    /// NIO calls it **in place of** verifying names, dates and signatures. So it is safe only
    /// if pins alone are trusted; otherwise use `pinningHandler(for:)`.
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

/// Takes the handler's place for a host without pins.
private final class PassingHandler: ChannelDuplexHandler {
    typealias InboundIn = NIOAny
    typealias OutboundIn = NIOAny
}
#endif
