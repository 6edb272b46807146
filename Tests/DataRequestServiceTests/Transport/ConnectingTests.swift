#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite(.generousTimeLimit) struct ConnectingTests {
    @Test func `a refused connection fails at once and may be tried later`() async throws {
        // No server listens on the first of the ports that only the system may use.
        let port = 1
        let url = try #require(URL(string: "http://127.0.0.1:\(port)/?token=secret"))
        try await withTransport { transport in
            let error = await expectError(.connectionFailed) {
                _ = try await transport.send(OutgoingRequest(url: url))
            }
            #expect(error?.retry == .later)
            #expect(error?.cause != nil)
            #expect(error?.message.contains("127.0.0.1:\(port)") == true)
            #expect(error.map { "\($0)".contains("secret") } == false)
        }
    }

    @Test func `a name that does not exist is a failed connection`() async throws {
        let policy = SecurityPolicy(cleartext: .allowed)
        try await withTransport(policy) { transport in
            let url = try #require(URL(string: "http://nowhere.invalid/"))
            let error = await expectError(.connectionFailed) {
                _ = try await transport.send(OutgoingRequest(url: url))
            }
            #expect(error?.retry == .later)
        }
    }

    @Test
    func `the connect limit ends a handshake without an answer`() async throws {
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.connectLimit = .milliseconds(200)
        let limited = configuration
        try await withRawServer { raw, _ in
            await raw.untilClosed()
        } run: { url in
            try await withTransport(SecurityPolicy(), limited) { transport in
                let secure = try #require(URL(string: "https://127.0.0.1:\(url.port ?? 0)"))
                let error = await expectError(.timedOut) {
                    _ = try await transport.send(OutgoingRequest(url: secure))
                }
                #expect(error?.retry == .later)
            }
        }
    }

    @Test func `a connect limit that passes at any moment ends the request`() async throws {
        try await withRawServer { raw, _ in
            await raw.untilClosed()
        } run: { url in
            let secure = try #require(URL(string: "https://127.0.0.1:\(url.port ?? 0)"))
            for microseconds in stride(from: 1, through: 20_000, by: 200) {
                var configuration = AsyncHTTPTransport.Configuration()
                configuration.connectLimit = .microseconds(microseconds)
                _ = try await withTransport(SecurityPolicy(), configuration) { transport in
                    await expectError(.timedOut) {
                        _ = try await transport.send(OutgoingRequest(url: secure))
                    }
                }
            }
        }
    }

    @Test(arguments: [
        "ftp://localhost/", "localhost/path", "http+unix://%2Ftmp%2Fs/x", "https:///x",
    ])
    func `an address that is not one of HTTP is refused`(_ text: String) async throws {
        try await withTransport { transport in
            let url = try #require(URL(string: text))
            await expectError(.connectionFailed) {
                _ = try await transport.send(OutgoingRequest(url: url))
            }
        }
    }

    @Test(arguments: [0, 1, 2])
    func `limits of connections that are not above zero are refused`(_ index: Int) throws {
        var configuration = AsyncHTTPTransport.Configuration()
        switch index {
        case 0: configuration.connectLimit = .zero
        case 1: configuration.connectionsPerHost = 0
        default: configuration.waitingLimit = .zero
        }
        let error = #expect(throws: DataRequestError.self) {
            try AsyncHTTPTransport(configuration: configuration)
        }
        #expect(error?.code == .invalidPolicy)
    }

    @Test func `a transport that was shut down refuses requests, and can be shut down again`()
        async throws
    {
        let transport = try AsyncHTTPTransport()
        try await transport.shutDown()
        try await transport.shutDown()
        let url = try #require(URL(string: "http://localhost/"))
        await expectError(.shutDown) { _ = try await transport.send(OutgoingRequest(url: url)) }
    }

    @Test func `a request under way at the shutdown fails with it`() async throws {
        let (hasArrived, arrived) = AsyncStream.makeStream(of: Void.self)
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            arrived.yield()
            await raw.untilClosed()
        } run: { url in
            let transport = try AsyncHTTPTransport()
            async let code = errorCode { _ = try await transport.send(OutgoingRequest(url: url)) }
            _ = await hasArrived.first { true }
            try await transport.shutDown()
            let found = await code
            #expect(found == .shutDown)
        }
    }

    @Test func `a transport that is released closes itself, and an answer outlives it`()
        async throws
    {
        let (isClosed, closed) = AsyncStream.makeStream(of: Void.self)
        _ = try AsyncHTTPTransport()
        try await withRawServer { raw, _ in
            _ = await raw.readHead()
            try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            await raw.untilClosed()
            closed.yield()
        } run: { url in
            let text = try await forgotten(url).text()
            #expect(text == "ok")
            _ = await isClosed.first { true }
        }
    }

    /// An answer whose transport is gone.
    private func forgotten(_ url: URL) async throws -> IncomingResponse {
        try await AsyncHTTPTransport().send(OutgoingRequest(url: url))
    }
}

/// The code that a closure fails with, or nil.
func errorCode(_ body: () async throws -> Void) async -> DataRequestError.Code? {
    do { try await body() } catch { return (error as? DataRequestError)?.code }
    return nil
}
#endif
