#if Requests
import NIOCore
import NIOSSL
import NIOTLS

/// Buffers the writes of a channel until the server's certificate was compared with the pins.
///
/// It is placed directly after the `NIOSSLClientHandler`. A server that is not pinned gets no
/// byte: the channel is closed, and the error is passed down the pipeline.
final class PinningHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State { case waiting, open, refused }

    private let check: PinCheck
    // Used only on the event loop of the channel, like all of a handler.
    private var state = State.waiting
    private var held: [(data: NIOAny, promise: EventLoopPromise<Void>?)] = []
    private var isFlushHeld = false

    init(check: PinCheck) { self.check = check }

    /// Checks the pins when the handshake is over.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .handshakeCompleted? = event as? TLSUserEvent, state == .waiting {
            do {
                let tls = try context.pipeline.syncOperations.handler(type: NIOSSLHandler.self)
                try check(tls.peerCertificate)
                state = .open
            } catch {
                return refuse(context: context, error)
            }
        }
        context.fireUserInboundEventTriggered(event)
        if state == .open { release(context: context) }
    }

    /// Buffers the bytes, or passes them on once the pins match.
    func write(
        context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
        switch state {
        case .waiting: held.append((data, promise))
        case .open: context.write(data, promise: promise)
        case .refused: promise?.fail(ChannelError.ioOnClosedChannel)
        }
    }

    /// Flushes once the pins match.
    func flush(context: ChannelHandlerContext) {
        if state == .waiting { isFlushHeld = true } else { context.flush() }
    }

    /// Drops what was held back.
    func channelInactive(context: ChannelHandlerContext) {
        drop(ChannelError.ioOnClosedChannel)
        context.fireChannelInactive()
    }

    /// Drops what was held back.
    func handlerRemoved(context: ChannelHandlerContext) {
        drop(ChannelError.ioOnClosedChannel)
    }

    private func refuse(context: ChannelHandlerContext, _ error: any Error) {
        state = .refused
        drop(error)
        context.fireErrorCaught(error)
        context.close(promise: nil)
    }

    private func release(context: ChannelHandlerContext) {
        let writes = held
        held = []
        for write in writes { context.write(write.data, promise: write.promise) }
        if isFlushHeld { context.flush() }
        isFlushHeld = false
    }

    private func drop(_ error: any Error) {
        let writes = held
        held = []
        for write in writes { write.promise?.fail(error) }
    }
}

@available(*, unavailable)
extension PinningHandler: Sendable {}
#endif
