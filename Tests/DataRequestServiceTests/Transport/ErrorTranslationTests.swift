#if Requests
import AsyncHTTPClient
import DataRequestCore
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOSSL
import Testing

@testable import DataRequestService

/// What errors of the client, NIO and the system mean before a request was sent and afterwards.
struct ErrorTranslationTests {
    private struct Unknown: Error {}

    private func translated(_ error: any Error, isUnsent: Bool) throws -> DataRequestError {
        let label = ExchangeLabel(OutgoingRequest(method: .post, url: nowhere))
        let translation = TransportErrorTranslation(exchange: label)
        return try #require(
            translation.translate(error, isUnsent: isUnsent, isShutDown: false)
                as? DataRequestError)
    }

    /// Checks that an error means one thing before a request was sent, and another afterwards.
    private func expect(
        _ error: any Error, unsent: DataRequestError.Code, sent: DataRequestError.Code
    ) throws {
        let before = try translated(error, isUnsent: true)
        #expect(before.code == unsent, "\(error)")
        #expect(before.isUnsent, "\(error)")
        let after = try translated(error, isUnsent: false)
        #expect(after.code == sent, "\(error)")
        #expect(!after.isUnsent, "\(error)")
        if sent == .connectionLost { #expect(after.retry == .later, "\(error)") }
    }

    @Test func `an error of the connection is a lost connection once the request was sent`()
        throws
    {
        let unreachable = [ECONNREFUSED, EHOSTUNREACH, ENETUNREACH, ENETDOWN, EADDRNOTAVAIL]
        var errors: [any Error] = [
            BoringSSLError.sslError([]), BoringSSLError.syscallError,
            NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])),
            NIOSSLError.readInInvalidTLSState, NIOSSLError.uncleanShutdown,
            HTTPClientError.remoteConnectionClosed, HTTPClientError.invalidProxyResponse,
            HTTPParserError.invalidEOFState,
            ChannelError.ioOnClosedChannel, IOError(errnoCode: ECONNRESET, reason: "read"),
            Unknown(),
        ]
        for code in unreachable { errors.append(IOError(errnoCode: code, reason: "read")) }
        for error in errors {
            try expect(error, unsent: .connectionFailed, sent: .connectionLost)
        }
    }

    @Test func `a request that the server says it has not processed can be sent again`() throws {
        let errors: [any Error] = [
            NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .refusedStream),
            NIOHTTP2Errors.createdStreamAfterGoaway(),
        ]
        for error in errors {
            try expect(error, unsent: .connectionFailed, sent: .connectionFailed)
        }
        try expect(
            NIOHTTP2Errors.streamClosed(streamID: 1, errorCode: .cancel),
            unsent: .connectionFailed, sent: .connectionLost)
    }

    @Test func `other errors mean the same before and after`() throws {
        let meanings: [(any Error, DataRequestError.Code)] = [
            (NIOSSLError.unableToValidateCertificate, .untrusted),
            (HTTPClientError.connectTimeout, .timedOut),
            (HTTPClientError.bodyLengthMismatch, .invalidBody),
            (HTTPParserError.headerOverflow, .malformedResponse),
            (NIOHTTP2Errors.noSuchStream(streamID: 1), .malformedResponse),
        ]
        for (error, code) in meanings { try expect(error, unsent: code, sent: code) }
    }

    @Test func `a body that cannot be read does not say that its request was not sent`() throws {
        var cause = DataRequestError(.connectionFailed, "The source of the body is away.")
        cause.isUnsent = true
        let failure = RequestFeed.BodyFailure(cause: cause)
        try expect(failure, unsent: .connectionFailed, sent: .connectionLost)
        let error = try translated(failure, isUnsent: false)
        #expect((error.cause as? DataRequestError)?.message == cause.message)
    }
}
#endif
