import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix

/// A server that does as little as possible, so that the clients are what is measured.
enum Server {
    /// Prints its port and runs until it is killed.
    static func run() async throws {
        let body = try ByteBuffer(bytes: JSONEncoder().encode(Track.sample))
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.backlog, value: 256)
            .childChannelOption(ChannelOptions.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(Responder(body: body))
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        print(channel.localAddress?.port ?? 0)
        fflush(nil)
        try await channel.closeFuture.get()
    }

    private final class Responder: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let body: ByteBuffer

        init(body: ByteBuffer) { self.body = body }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            guard case .end = unwrapInboundIn(data) else { return }
            let headers: HTTPHeaders = [
                "Content-Type": "application/json", "Content-Length": "\(body.readableBytes)",
                "Date": "Sun, 22 Nov 2026 08:00:00 GMT", "Server": "benchmark",
            ]
            let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        }
    }
}

/// The server in a process of its own.
struct ServerProcess {
    private let process = Process()
    private let pipe = Pipe()

    init() throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0])
        process.arguments = ["serve"]
        process.standardOutput = pipe
        try process.run()
    }

    /// Where it listens.
    func baseURL() throws -> URL {
        // Blocks until the server listens, when nothing else is to be done.
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        let port = line.trimmingCharacters(in: .whitespacesAndNewlines)
        guard Int(port) != nil, let url = URL(string: "http://127.0.0.1:\(port)") else {
            throw WrongAnswer()
        }
        return url
    }

    func stop() {
        process.terminate()
        process.waitUntilExit()
    }
}
