#if Requests
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Lets no body pass that belongs to no answer, tells which requests leave, and gives those for a proxy
/// their target.
///
/// The client takes every status below 200 for a provisional answer and goes on waiting for the
/// head of the real one, and it traps on a body that comes first. The decoder knows no statuses
/// below 100 as provisional and delivers what follows them: a server that answers `099` would end
/// the program. This handler stands between both and makes it an error.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let departures: Departures
    /// Whether the head of an answer has come whose end has not.
    private var isInAnswer = false  // touched on the event loop of the channel alone
    private var isRefused = false  // touched on the event loop of the channel alone
    /// The request that was written last.
    private var number: Int?  // touched on the event loop of the channel alone

    init(_ departures: Departures) { self.departures = departures }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data),
            let number = head.headers.first(name: Departures.header)
        else { return context.write(data, promise: promise) }
        head.headers.remove(name: Departures.header)
        if let target = head.headers.first(name: HTTPClientRequest.targetHeader) {
            head.uri = target
            head.headers.remove(name: HTTPClientRequest.targetHeader)
        }
        context.write(wrapOutboundOut(.head(head)), promise: promise)
        self.number = Int(number)
        if let number = Int(number) { departures.leave(number) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            if head.status == .continue, let number { departures.proceed(number) }
            isInAnswer = isInAnswer || head.status.code >= 200 || head.status == .switchingProtocols
        case .body: if !isInAnswer { return refuse(context) }
        case .end:
            guard isInAnswer else { return refuse(context) }
            isInAnswer = false
        }
        context.fireChannelRead(data)
    }

    private func refuse(_ context: ChannelHandlerContext) {
        isRefused = true
        context.fireErrorCaught(HTTPParserError.unexpectedContentLength)
        context.close(promise: nil)
    }

    /// Puts the guard behind the codec of a stream of HTTP/2; called on its event loop.
    static func add(toStream channel: any Channel, _ departures: Departures) throws {
        let pipeline = channel.pipeline.syncOperations
        let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
        try pipeline.addHandler(ConnectionGuard(departures), position: .after(codec))
    }

    /// Puts the guard behind the decoder of a connection; called on its event loop.
    static func add(to channel: any Channel, _ departures: Departures) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(ConnectionGuard(departures), position: .after(decoder))
    }
}
#endif
