#if Requests
import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOHTTP2

/// Rejects bodies outside a response, reports departing requests, and sets the target for
/// proxies.
///
/// The client takes every status below 200 for a provisional response, waits for the head of
/// the final one, and traps on a body that comes first. The decoder does not treat statuses
/// below 100 as provisional and delivers their body. So a server that answers `099` would
/// crash the program. This handler sits between both and makes it an error.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let departures: Departures
    /// Whether a response has begun and not ended.
    private var isInAnswer = false  // touched on the event loop of the channel alone
    private var isRefused = false  // touched on the event loop of the channel alone
    /// The number of the last written request.
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

    /// Adds the guard after the codec of an HTTP/2 stream; called on its event loop.
    static func add(toStream channel: any Channel, _ departures: Departures) throws {
        let pipeline = channel.pipeline.syncOperations
        let codec = try pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self)
        try pipeline.addHandler(ConnectionGuard(departures), position: .after(codec))
    }

    /// Adds the guard after the decoder of a connection; called on its event loop.
    static func add(to channel: any Channel, _ departures: Departures) throws {
        let pipeline = channel.pipeline.syncOperations
        let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
        try pipeline.addHandler(ConnectionGuard(departures), position: .after(decoder))
    }
}
#endif
