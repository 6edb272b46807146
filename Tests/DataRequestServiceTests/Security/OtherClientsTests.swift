#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import Hummingbird
import SkiathosLocks
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS
import RequestTestKit
import Synchronization
import TestSupport
import Testing

/// Clients of others that take the policy of the service: here NIO by itself.
@Suite(.generousTimeLimit) struct OtherClientsTests {
    private static let other = Data(repeating: 1, count: 32).base64EncodedString()

    /// Sends a request over a channel whose handlers the closure makes, and gives the answer.
    private func get(
        _ url: URL, _ handlers: @escaping @Sendable () throws -> [any ChannelHandler]
    ) async throws -> String {
        let (answers, answer) = AsyncStream.makeStream(of: Result<String, any Error>.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let all = try handlers() + [Collector(answer)]
                    try channel.pipeline.syncOperations.addHandlers(all)
                }
            }
            .connect(host: "127.0.0.1", port: url.port ?? 0).get()
        channel.writeAndFlush(
            ByteBuffer(string: "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"),
            promise: nil)
        let result = await answers.first { _ in true }
        try? await channel.close()
        return try #require(result).get()
    }

    private func withCounting(
        _ issued: TestAuthority.Issued, run: @escaping @Sendable (URL) async throws -> Void
    ) async throws -> Int {
        let count = RequestCount()
        try await withServer(.tls(try issued.serverConfiguration())) { router in
            router.get("/") { _, _ in
                count.add()
                return "ok"
            }
        } run: { url in
            try await run(url)
        }
        return count.value
    }

    @Test func `a channel of NIO with the policy's configuration and handler is pinned`()
        async throws
    {
        let authority = try TestAuthority()
        let issued = try authority.issue()
        let count = try await withCounting(issued) { url in
            for (pin, isRight) in [(issued.keyPin, true), (Self.other, false)] {
                let policy = SecurityPolicy(
                    trust: authority.trust,
                    pins: [
                        try PinSet(
                            hosts: "localhost", pins: [.publicKey(sha256: pin)],
                            allowingSinglePin: true)
                    ])
                let context = try NIOSSLContext(configuration: policy.tlsConfiguration())
                let outcome = await Result {
                    try await get(url) {
                        [
                            try NIOSSLClientHandler(context: context, serverHostname: "localhost"),
                            try policy.pinningHandler(for: "localhost"),
                        ]
                    }
                }
                switch outcome {
                case .success(let text): #expect(isRight && text.hasSuffix("ok"))
                case .failure(let error):
                    #expect(!isRight)
                    #expect((error as? DataRequestError)?.code == .pinMismatch)
                }
            }
        }
        #expect(count == 1)
    }

    @Test func `a verification callback of NIO checks the pins where they alone are trusted`()
        async throws
    {
        let issued = try TestAuthority().issue()
        let count = try await withCounting(issued) { url in
            for (pin, isRight) in [(issued.keyPin, true), (Self.other, false)] {
                let policy = SecurityPolicy(
                    trust: .pinsOnly,
                    pins: [
                        try PinSet(
                            hosts: "localhost", pins: [.publicKey(sha256: pin)],
                            allowingSinglePin: true)
                    ])
                let context = try NIOSSLContext(configuration: policy.tlsConfiguration())
                let outcome = await Result {
                    try await get(url) {
                        [
                            try NIOSSLClientHandler(
                                context: context, serverHostname: nil,
                                customVerificationCallback: policy.verifier(for: "localhost"))
                        ]
                    }
                }
                #expect(((try? outcome.get())?.hasSuffix("ok") ?? false) == isRight)
                // Without the callback no connection is made.
                let forgotten = await Result {
                    try await get(url) {
                        [try NIOSSLClientHandler(context: context, serverHostname: nil)]
                    }
                }
                #expect(throws: (any Error).self) { try forgotten.get() }
                #expect(throws: DataRequestError.self) {
                    _ = try policy.pinningHandler(for: "localhost")
                }
            }
        }
        #expect(count == 1)
    }

    @Test func `a callback that would replace the verification by authorities is refused`() throws {
        let error = #expect(throws: DataRequestError.self) {
            _ = try SecurityPolicy().verifier(for: "localhost")
        }
        #expect(error?.code == .invalidPolicy)
    }
}

/// Collects what a server sends until it closes.
private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let answer: AsyncStream<Result<String, any Error>>.Continuation
    // Touched on the event loop of the channel alone.
    private var text = ""

    init(_ answer: AsyncStream<Result<String, any Error>>.Continuation) { self.answer = answer }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        text += String(buffer: unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answer.yield(.failure(error))
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { answer.yield(.success(text)) }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
#endif
