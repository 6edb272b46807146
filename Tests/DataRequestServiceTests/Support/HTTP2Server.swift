#if Requests
import Foundation
import SkiathosLocks
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL
import Synchronization
import Testing

/// What a server over HTTP/2 does with a request.
enum HTTP2Verdict: Sendable {
    /// Answers it when the closure has returned.
    case answer(after: @Sendable () async -> Void = {})
    /// Answers it as the last one of its connection, which it says in `GOAWAY`.
    case answerAndGoAway
    /// Refuses its stream, which says that nothing was done.
    case refuse
}

/// Runs a server over HTTP/2 on loopback while the closure runs.
///
/// - Parameters:
///   - streams: How many streams a connection may have at a time.
///   - verdict: Called with the number of the request on its connection, from 1.
@discardableResult
func withHTTP2Server<Value: Sendable>(
    _ tls: TLSConfiguration, streams: Int = 100,
    verdict: @escaping @Sendable (Int) -> HTTP2Verdict,
    run: @escaping @Sendable (URL) async throws -> Value
) async throws -> Value {
    var tls = tls
    tls.applicationProtocols = ["h2"]
    let context = try NIOSSLContext(configuration: tls)
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.addHandler(
                    NIOSSLServerHandler(context: context))
                let count = StreamCount()
                var connection = NIOHTTP2Handler.ConnectionConfiguration()
                connection.initialSettings = [
                    HTTP2Setting(parameter: .maxConcurrentStreams, value: streams)
                ]
                _ = try channel.pipeline.syncOperations.configureHTTP2Pipeline(
                    mode: .server, connectionConfiguration: connection,
                    streamConfiguration: .init()
                ) { stream in
                    let number = count.next()
                    return stream.eventLoop.makeCompletedFuture {
                        try stream.pipeline.syncOperations.addHandlers([
                            HTTP2FramePayloadToHTTP1ServerCodec(),
                            HTTP2Answerer(number, count, verdict),
                        ])
                    }
                }
            }
        }
        .bind(host: "127.0.0.1", port: 0).get()
    let port = server.localAddress?.port ?? 0
    let result: Result<Value, any Error>
    do {
        result = .success(try await run(try #require(URL(string: "https://127.0.0.1:\(port)"))))
    } catch {
        result = .failure(error)
    }
    try? await server.close()
    return try result.get()
}

/// How many streams a connection has had.
private final class StreamCount: Sendable {
    private let count = Lock(0)

    var value: Int { count.withLock { $0 } }

    func next() -> Int {
        count.withLock { count in
            count += 1
            return count
        }
    }
}

/// Answers the request of a stream when it has come to its end, and before its body with a word if it
/// expects one.
private final class HTTP2Answerer: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let number: Int
    private let count: StreamCount
    private let verdict: @Sendable (Int) -> HTTP2Verdict

    init(
        _ number: Int, _ count: StreamCount, _ verdict: @escaping @Sendable (Int) -> HTTP2Verdict
    ) {
        self.number = number
        self.count = count
        self.verdict = verdict
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .head(let head) = part, head.headers.contains(name: "expect") {
            let word = HTTPResponseHead(version: .http2, status: .continue)
            context.writeAndFlush(wrapOutboundOut(.head(word)), promise: nil)
        }
        guard case .end = part else { return }
        let channel = context.channel
        func send(_ payload: HTTP2Frame.FramePayload, _ id: HTTP2StreamID) {
            channel.parent?.writeAndFlush(
                HTTP2Frame(streamID: id, payload: payload), promise: nil)
        }
        switch verdict(number) {
        case .answer(let wait): Self.answer(channel, after: wait)
        case .answerAndGoAway:
            // All that have come before are answered, those that come later are not.
            let last = HTTP2StreamID(2 * count.value - 1)
            send(.goAway(lastStreamID: last, errorCode: .noError, opaqueData: nil), .rootStream)
            Self.answer(channel)
        case .refuse: send(.rstStream(.refusedStream), HTTP2StreamID(2 * number - 1))
        }
    }

    private static func answer(
        _ channel: any Channel, after wait: @escaping @Sendable () async -> Void
    ) {
        Task {
            await wait()
            answer(channel)
        }
    }

    private static func answer(_ channel: any Channel) {
        let head = HTTPResponseHead(version: .http2, status: .ok, headers: ["content-length": "2"])
        let body = IOData.byteBuffer(ByteBuffer(string: "ok"))
        channel.write(HTTPServerResponsePart.head(head), promise: nil)
        channel.write(HTTPServerResponsePart.body(body), promise: nil)
        channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
#endif
