#if Requests
import DataRequestCore
public import NIOSSL
import SkiathosPlatformFoundation

extension SecurityPolicy {
    /// The policy as a configuration of NIO, for any client on it.
    ///
    /// ```swift
    /// let context = try NIOSSLContext(configuration: policy.tlsConfiguration())
    /// let tls = try NIOSSLClientHandler(context: context, serverHostname: "api.example.com")
    /// try channel.pipeline.syncOperations.addHandlers(
    ///     tls, try policy.pinningHandler(for: "api.example.com"))
    /// ```
    ///
    /// It sets the accepted certificates and the client's own identity. It does not contain
    /// the pins, since NIO has no field for them: `pinningHandler(for:)` checks them. With
    /// `Trust.pinsOnly`, no certificate passes without the callback of `verifier(for:)`.
    ///
    /// - Throws: `invalidPolicy` if a certificate or key cannot be read, or pins alone are trusted
    ///   and there are none.
    public func tlsConfiguration() throws -> TLSConfiguration {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = minimumTLS == .v13 ? .tlsv13 : .tlsv12
        switch trust {
        case .system: break
        case .authorities(let sources):
            let roots = try sources.flatMap { try $0.certificates(called: "an authority") }
            guard !roots.isEmpty else {
                throw DataRequestError(
                    .invalidPolicy, "Expected at least one authority to trust, found none.")
            }
            configuration.trustRoots = .certificates(roots)
        case .pinsOnly:
            guard !pins.isEmpty else {
                throw DataRequestError(
                    .invalidPolicy, "The policy trusts pins alone, and has none. Add some.")
            }
            // No authority and no name: certificates pass only by the callback. Without any
            // verification NIO would not call the callback, and accept every server.
            configuration.trustRoots = .certificates([])
            configuration.certificateVerification = .noHostnameVerification
        }
        if let identity {
            let chain = try identity.chain.certificates(called: "the client's certificate")
            configuration.certificateChain = chain.map { .certificate($0) }
            configuration.privateKey = .privateKey(try identity.key.privateKey())
        }
        return configuration
    }

    /// The configuration for clients that check each connection by `PinCheck`.
    ///
    /// If only pins are trusted, NIO verifies nothing itself.
    func checkedConfiguration() throws -> TLSConfiguration {
        var configuration = try tlsConfiguration()
        if trustsPinsAlone { configuration.certificateVerification = .none }
        return configuration
    }
}

extension SecurityPolicy.Source {
    fileprivate func certificates(called name: String) throws -> [NIOSSLCertificate] {
        try readable(name) {
            switch self {
            case .pemFile(let path): try NIOSSLCertificate.fromPEMFile(path)
            case .derFile(let path): [try NIOSSLCertificate.fromDERFile(path)]
            case .pem(let data): try NIOSSLCertificate.fromPEMBytes(Array(data))
            case .der(let data): [try NIOSSLCertificate(bytes: Array(data), format: .der)]
            }
        }
    }

    fileprivate func privateKey() throws -> NIOSSLPrivateKey {
        try readable("the client's key") {
            switch self {
            case .pemFile(let path): try NIOSSLPrivateKey(file: path, format: .pem)
            case .derFile(let path): try NIOSSLPrivateKey(file: path, format: .der)
            case .pem(let data): try NIOSSLPrivateKey(bytes: Array(data), format: .pem)
            case .der(let data): try NIOSSLPrivateKey(bytes: Array(data), format: .der)
            }
        }
    }

    private func readable<Value>(_ name: String, _ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch {
            throw DataRequestError(
                .invalidPolicy,
                "Could not read \(name) from \(place). Expected what the case says, PEM or DER.",
                cause: error)
        }
    }

    private var place: String {
        switch self {
        case .pemFile(let path), .derFile(let path): "the file \(path)"
        case .pem(let data), .der(let data): "\(data.count) bytes"
        }
    }
}
#endif
