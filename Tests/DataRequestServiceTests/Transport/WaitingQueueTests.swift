#if Requests
import DataRequestService
import Foundation
import HTTPTypes
import SkiathosLocks
import RequestTestKit
import TestClocks
import TestSupport
import Testing

/// A transport that tells when a request for a path has begun to wait for a connection.
private struct ObservedQueue: HTTPTransport {
    let transport: AsyncHTTPTransport
    let path: String
    let isWaiting = Latch()

    func send(_ request: OutgoingRequest) async throws -> IncomingResponse {
        guard request.url.path == path else { return try await transport.send(request) }
        var observed = request
        observed.onWaiting = {
            request.onWaiting?($0)
            if $0 { isWaiting.open() }
        }
        return try await transport.send(observed)
    }

    func shutDown() async throws { try await transport.shutDown() }
}

/// Requests that wait because all connections to their host are in use.
@Suite(.generousTimeLimit) struct WaitingQueueTests {
    /// Ends when the connect limit of a transport has passed since the call.
    private func passLimit(of transport: AsyncHTTPTransport) async throws {
        try await withRawServer { raw, _ in
            await raw.untilClosed()
        } run: { url in
            let silent = try #require(URL(string: "https://127.0.0.1:\(url.port ?? 0)"))
            await expectError(.timedOut) {
                _ = try await transport.send(OutgoingRequest(url: silent))
            }
        }
    }

    private func limits(
        _ change: (inout AsyncHTTPTransport.Configuration) -> Void = { _ in }
    ) -> AsyncHTTPTransport.Configuration {
        var configuration = AsyncHTTPTransport.Configuration()
        configuration.connectLimit = .seconds(4)
        change(&configuration)
        return configuration
    }

    /// Sends a thousand requests at once, of which the server answers none before the connect limit
    /// has passed.
    private func flood(
        _ url: URL, _ policy: SecurityPolicy, _ gate: Gate
    ) async throws {
        // The last of them waits for all others, on a machine that may be busy.
        let limits = limits { $0.waitingLimit = .seconds(3_600) }
        try await withTransport(policy, limits) { transport in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        let answer = try await transport.send(OutgoingRequest(url: url))
                        _ = try await answer.bytes()
                    }
                }
                await gate.arrivals(1)
                try await passLimit(of: transport)
                gate.open()
                try await group.waitForAll()
            }
        }
    }

    @Test func `the limit for an answer holds whatever departure number a request claims`()
        async throws
    {
        try await withRawServer { raw, _ in
            let head = await raw.readHead().lowercased()
            #expect(head.hasSuffix("\r\n\r\n") && !head.contains("departure"))
            await raw.untilClosed()
        } run: { url in
            try await withService(url, configure: { $0.retry = .never }) { service in
                let claim = try #require(HTTPField.Name("x-skiathos-departure"))
                let request = DataRequest(.get, "a").header(claim, "999")
                    .timeLimits(RequestOptions.TimeLimits(response: .milliseconds(50)))
                await expectError(.timedOut) { _ = try await service.data(for: request) }
            }
        }
    }

    @Test func `a thousand requests at once to a host over HTTP/1.1 are all answered`()
        async throws
    {
        let gate = Gate()
        try await withRawServer { raw, _ in
            while await raw.readHead().hasSuffix("\r\n\r\n") {
                await gate.pass()
                try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        } run: { url in
            try await flood(url, SecurityPolicy(), gate)
        }
    }

    @Test func `a thousand requests at once beyond the streams of HTTP/2 are all answered`()
        async throws
    {
        let (authority, gate) = (try TestAuthority(), Gate())
        let tls = try authority.issue().serverConfiguration()
        try await withHTTP2Server(tls, streams: 3) { _ in
            .answer { await gate.pass() }
        } run: { url in
            try await flood(url, SecurityPolicy(trust: authority.trust), gate)
        }
    }

    /// Answers each request when the gate is open.
    private func withHoldingServer(
        _ gate: Gate, run: @escaping @Sendable (URL) async throws -> Void
    ) async throws {
        try await withRawServer { raw, _ in
            while await raw.readHead().hasSuffix("\r\n\r\n") {
                await gate.pass()
                try await raw.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            }
        } run: { url in
            defer { gate.open() }
            try await run(url)
        }
    }

    @Test func `waiting in the queue does not count against the limit for an answer`() async throws
    {
        let (gate, clock) = (Gate(), TestClock())
        try await withHoldingServer(gate) { url in
            var configuration = DataRequestService.Configuration()
            configuration.clock = clock
            let limits = limits {
                $0.connectLimit = .seconds(600)
                $0.connectionsPerHost = 1
            }
            let queue = ObservedQueue(
                transport: try AsyncHTTPTransport(configuration: limits), path: "/b")
            let service = try DataRequestService(
                environment: ServerEnvironment("test", baseURL: url), transport: queue,
                configuration: configuration)
            let unlimited = RequestOptions.TimeLimits(response: nil, idle: nil)
            async let first = service.data(for: DataRequest(.get, "a").timeLimits(unlimited))
            await gate.arrivals(1)
            async let second = service.data(for: DataRequest(.get, "b"))
            try await queue.isWaiting.wait()
            await clock.waitForSleep(until: .seconds(60))
            clock.advance(by: .seconds(61))
            // The keeper of limits has looked, and looks again.
            await clock.waitForSleep(until: .seconds(121))
            gate.open()
            let answers = try await [first, second]
            #expect(answers == [Data("ok".utf8), Data("ok".utf8)])
            _ = await service.shutDown(deadline: .zero)
        }
    }

    @Test func `waiting in the queue has a limit of its own`() async throws {
        let gate = Gate()
        try await withHoldingServer(gate) { url in
            let limits = limits {
                $0.waitingLimit = .milliseconds(100)
                $0.connectionsPerHost = 1
            }
            try await withTransport(SecurityPolicy(), limits) { transport in
                async let first = transport.send(OutgoingRequest(url: url))
                await gate.arrivals(1)
                let error = await expectError(.timedOut) {
                    _ = try await transport.send(OutgoingRequest(url: url))
                }
                #expect(error?.retry == .later)
                #expect(error?.message.contains("connectionsPerHost") == true)
                gate.open()
                let status = try await first.status
                #expect(status == .ok)
            }
        }
    }

    @Test func `a request that is cancelled in the queue leaves it`() async throws {
        let gate = Gate()
        try await withHoldingServer(gate) { url in
            try await withTransport(SecurityPolicy(), limits { $0.connectionsPerHost = 1 }) {
                transport in
                async let first = transport.send(OutgoingRequest(url: url))
                await gate.arrivals(1)
                let second = Task { try await transport.send(OutgoingRequest(url: url)) }
                second.cancel()
                await #expect(throws: CancellationError.self) { _ = try await second.value }
                gate.open()
                _ = try await first.bytes()
            }
        }
    }
}
#endif
