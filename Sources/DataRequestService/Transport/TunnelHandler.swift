#if Requests
import NIOCore

/// Opens a tunnel through an HTTP proxy, and then removes itself from the channel.
final class TunnelHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The largest head of the proxy's response, in bytes.
    private static let headLimit = 16 << 10

    private let request: String
    private let then: @Sendable (any Channel) throws -> Void
    private var head: [UInt8] = []  // touched on the event loop of the channel alone

    /// Makes a handler.
    ///
    /// - Parameter then: Adds the handlers that use the tunnel to the end of the pipeline.
    init(_ request: String, then: @escaping @Sendable (any Channel) throws -> Void) {
        self.request = request
        self.then = then
    }

    func channelActive(context: ChannelHandlerContext) {
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // In TLS the client speaks first, so no bytes follow the head of the proxy's response.
        head += unwrapInboundIn(data).readableBytesView
        guard head.suffix(4).elementsEqual("\r\n\r\n".utf8) else {
            if head.count > Self.headLimit { refuse(context) }
            return
        }
        // HTTP/1.1 200 …
        guard head.starts(with: "HTTP/1.".utf8), head.dropFirst(9).first == UInt8(ascii: "2") else {
            return refuse(context)
        }
        do { try then(context.channel) } catch { return context.fireErrorCaught(error) }
        _ = context.pipeline.syncOperations.removeHandler(self)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        context.fireErrorCaught(ChannelError.eof)
        context.close(promise: nil)
    }
}
#endif
