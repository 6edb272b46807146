#if Requests
import NIOCore
import NIOHTTP2

/// Reports streams that a server did not process before `GOAWAY` as refused.
///
/// `GOAWAY` names the last stream that may have been worked on (RFC 9113, 6.8). NIO closes
/// later streams as if they had been cancelled, so they could not be distinguished from
/// interrupted ones.
final class GoAwayWatcher: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame

    private var last: HTTP2StreamID?  // touched on the event loop of the channel alone

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway(let last, _, _) = unwrapInboundIn(data).payload { self.last = last }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let closed = event as? StreamClosedEvent, let last, closed.streamID > last,
            closed.reason == .cancel
        else { return context.fireUserInboundEventTriggered(event) }
        context.fireUserInboundEventTriggered(
            StreamClosedEvent(streamID: closed.streamID, reason: .refusedStream))
    }

    /// Adds a watcher after the handler of a connection; called on its event loop.
    static func add(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        let frames = try pipeline.handler(type: NIOHTTP2Handler.self)
        try pipeline.addHandler(GoAwayWatcher(), position: .after(frames))
    }
}
#endif
