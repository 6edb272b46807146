#if Requests
import Foundation
import Glibc
import SkiathosLocks
import NIOCore
import NIOPosix
import NIOSSL
import Synchronization
import Testing

/// A connection to a server that sends exactly the bytes that a test wants.
struct RawConnection: Sendable {
    private let channel: any Channel
    private let input: RawInput

    fileprivate init(channel: any Channel, input: RawInput) {
        self.channel = channel
        self.input = input
    }

    /// The bytes until an empty line, as text; what is there if the client goes away.
    func readHead() async -> String {
        await String(
            decoding: input.read { bytes in
                guard let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
                return end.upperBound - bytes.startIndex
            }, as: UTF8.self)
    }

    /// The next bytes, as many as said; fewer if the client goes away.
    func read(count: Int) async -> Data {
        await input.read { $0.count >= count ? count : nil }
    }

    /// Waits until the client closes.
    func untilClosed() async { _ = await input.read { _ in nil } }

    func write(_ text: String) async throws { try await write(Data(text.utf8)) }

    func write(_ bytes: Data) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
    }

    /// Writes bytes beneath TLS, which are no records of it.
    func writeBeneathTLS(_ text: String) async throws {
        try await channel.eventLoop.submit { [channel] in
            try channel.pipeline.syncOperations.context(handlerType: NIOSSLServerHandler.self)
                .writeAndFlush(NIOAny(ByteBuffer(string: text)), promise: nil)
        }.get()
    }

    /// Closes in order.
    func close() async throws { try await channel.close() }

    /// Ends its output, and continues to read.
    func closeOutput() async throws { try await channel.close(mode: .output) }

    /// Breaks the connection, so that the client gets a reset.
    func reset() async throws {
        let options = try #require(channel as? any SocketOptionProvider)
        try await options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
        try await channel.close()
    }
}

/// What a client has sent, for one reader.
private final class RawInput: Sendable {
    private struct State {
        var bytes = Data()
        var isOver = false
        var count: (@Sendable (Data) -> Int?)?
        var reader: Continuation<Data, Never>?
    }

    private let state = Lock(State())

    func append(_ bytes: Data) { change { $0.bytes.append(bytes) } }

    func finish() { change { $0.isOver = true } }

    /// Waits until the closure says how many bytes to take, or no more come.
    func read(_ count: @escaping @Sendable (Data) -> Int?) async -> Data {
        await withContinuation { reader in
            change {
                $0.count = count
                $0.reader = reader
            }
        }
    }

    private func change(_ body: @Sendable (inout State) -> Void) {
        let resumed = state.withLock { state -> (Continuation<Data, Never>, Data)? in
            body(&state)
            guard let reader = state.reader, let count = state.count else { return nil }
            guard let wanted = count(state.bytes) ?? (state.isOver ? state.bytes.count : nil) else {
                return nil
            }
            let taken = Data(state.bytes.prefix(wanted))
            state.bytes = Data(state.bytes.dropFirst(wanted))
            (state.reader, state.count) = (nil, nil)
            return (reader, taken)
        }
        if let (reader, taken) = resumed { reader.resume(returning: taken) }
    }
}

private final class RawInputHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let input: RawInput

    init(_ input: RawInput) { self.input = input }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        input.append(Data(unwrapInboundIn(data).readableBytesView))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent { input.finish() }
    }

    func channelInactive(context: ChannelHandlerContext) { input.finish() }

    // A connection that is reset before it is accepted never becomes active, nor inactive.
    func handlerRemoved(context: ChannelHandlerContext) { input.finish() }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

/// What a server does with a connection; it is closed when the closure is over.
typealias RawScript = @Sendable (RawConnection, _ number: Int) async throws -> Void

/// Runs a server of scripted bytes on loopback while the closure runs.
///
/// - Parameter tls: What the server shows; nil speaks without TLS.
@discardableResult
func withRawServer<Value: Sendable>(
    address: String = "127.0.0.1", host: String = "127.0.0.1", tls: TLSConfiguration? = nil,
    _ script: @escaping RawScript, run: @escaping @Sendable (URL) async throws -> Value
) async throws -> Value {
    let context = try tls.map { try NIOSSLContext(configuration: $0) }
    let (accepted, connections) = AsyncStream.makeStream(of: RawConnection.self)
    let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .serverChannelOption(ChannelOptions.socketOption(.so_reuseaddr), value: 1)
        .childChannelOption(ChannelOptions.allowRemoteHalfClosure, value: true)
        .childChannelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
                let input = RawInput()
                if let context {
                    try channel.pipeline.syncOperations.addHandler(
                        NIOSSLServerHandler(context: context))
                }
                try channel.pipeline.syncOperations.addHandler(RawInputHandler(input))
                connections.yield(RawConnection(channel: channel, input: input))
            }
        }
        .bind(host: address, port: 0).get()
    let scheme = tls == nil ? "http" : "https"
    let url = try #require(
        URL(string: "\(scheme)://\(host):\(server.localAddress?.port ?? 0)"))
    return try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            await withDiscardingTaskGroup { group in
                var number = 0
                for await connection in accepted {
                    let index = number
                    number += 1
                    group.addTask {
                        try? await script(connection, index)
                        try? await connection.close()
                    }
                }
            }
        }
        let result: Result<Value, any Error>
        do { result = .success(try await run(url)) } catch { result = .failure(error) }
        try? await server.close()
        connections.finish()
        group.cancelAll()
        return try result.get()
    }
}
#endif
