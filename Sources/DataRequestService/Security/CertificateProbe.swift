#if Requests
import DataRequestCore
import NIOCore
import NIOPosix
import NIOSSL
import SkiathosPlatformFoundation

/// Repeats the handshake with a refused server, to read the certificates it sends.
///
/// The client gives no access to the TLS handler until a handshake is over, and NIO does not
/// report why it refuses a chain. So the probe opens a connection of its own, reads the chain,
/// and closes the connection.
struct CertificateProbe: Sendable {
    let minimumTLS: SecurityPolicy.TLSVersion
    let limit: Duration

    /// The same error with the problem of the certificate, if it can be determined.
    func explaining(
        _ error: DataRequestError, of exchange: ExchangeLabel, at url: URL, by route: Route
    ) async -> DataRequestError {
        guard let host = url.host(percentEncoded: false).map(HostPattern.normalized),
            let port = url.checkedPort,
            let chain = await chain(of: host, port, by: route),
            let diagnosis = CertificateDiagnosis(
                chain, host: host, now: Date(),
                isForOthers: error.certificateProblem == .wrongHost)
        else { return error }
        var error = error
        error.certificateProblem = diagnosis.problem
        error.message = "\(exchange) \(diagnosis.text)."
        return error
    }

    /// The certificates that a server sends; nil if it sends none before the limit passes.
    private func chain(
        of host: String, _ port: Int, by route: Route
    ) async -> [ShownCertificate]? {
        // Independent of the client's group: this is a socket of the system.
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let found = loop.makePromise(of: [NIOSSLCertificate].self)
        let timer = loop.scheduleTask(in: TimeAmount(limit)) {
            found.fail(ChannelError.connectTimeout(TimeAmount(limit)))
        }
        let connection = connect(host, port, by: route, on: loop, found)
        connection.whenFailure { found.fail($0) }
        let chain = try? await withTaskCancellationHandler {
            try await found.futureResult.get()
        } onCancel: {
            found.fail(CancellationError())
        }
        timer.cancel()
        connection.whenSuccess { $0.close(promise: nil) }
        return chain?.compactMap(ShownCertificate.init)
    }

    private func connect(
        _ host: String, _ port: Int, by route: Route, on loop: any EventLoop,
        _ found: EventLoopPromise<[NIOSSLCertificate]>
    ) -> EventLoopFuture<any Channel> {
        let handshake: @Sendable (any Channel) throws -> Void = { channel in
            let tls = try NIOSSLClientHandler(
                context: try context(), serverHostname: host.isAddress ? nil : host
            ) { certificates, verdict in
                found.succeed(certificates)
                verdict.succeed(NIOSSLVerificationResult.failed)
            }
            try channel.pipeline.syncOperations.addHandlers(tls, ProbeEnd(found))
        }
        let bootstrap = ClientBootstrap(group: loop).connectTimeout(TimeAmount(limit))
        switch route {
        case .tunnel(let proxy):
            guard let request = proxy.tunnelRequest(to: host, port) else {
                return loop.makeFailedFuture(ChannelError.operationUnsupported)
            }
            return bootstrap.channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers(
                        TunnelHandler(request, then: handshake), ProbeEnd(found))
                }
            }.connect(host: proxy.host, port: proxy.port)
        case .direct, .forward:
            return bootstrap.channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try handshake(channel) }
            }.connect(host: host, port: port)
        }
    }

    /// Trusts no certificate and reads no files: only the callback decides.
    private func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = minimumTLS == .v13 ? .tlsv13 : .tlsv12
        configuration.trustRoots = .certificates([])
        configuration.certificateVerification = .noHostnameVerification
        configuration.applicationProtocols = ["h2", "http/1.1"]
        return try NIOSSLContext(configuration: configuration)
    }
}

/// Fails the promise if the connection ends before the chain arrives.
private final class ProbeEnd: ChannelInboundHandler {
    typealias InboundIn = Any

    private let found: EventLoopPromise<[NIOSSLCertificate]>

    init(_ found: EventLoopPromise<[NIOSSLCertificate]>) { self.found = found }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        found.fail(error)
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        found.fail(ChannelError.eof)
        context.fireChannelInactive()
    }
}

extension ShownCertificate {
    fileprivate init?(_ certificate: NIOSSLCertificate) {
        guard let der = try? certificate.toDERBytes() else { return nil }
        self.init(
            der: der, from: Date(timeIntervalSince1970: Double(certificate.notValidBefore)),
            to: Date(timeIntervalSince1970: Double(certificate.notValidAfter)))
    }
}
#endif
