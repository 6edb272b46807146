#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosLocks
import Synchronization
import TestClocks
import Testing

struct ShutdownTests {
    @Test func `calls in flight finish within the deadline, and no new call begins`() async throws {
        let gate = Gate()
        let clock = TestClock()
        let transport = ScriptedTransport { request, _ in
            await gate.pass()
            return .answer(request)
        }
        let service = try DataRequestService.forTests(transport, clock: clock)
        let call = Task { try await service.response(for: DataRequest(.get, "a")) }
        await gate.arrivals(1)
        let end = Task { await service.shutDown(deadline: .seconds(20)) }
        await clock.waitForSleep { $0 == .seconds(20) }
        let refused = await failure { _ = try await service.response(for: DataRequest(.get, "b")) }
        #expect(refused?.code == .shutDown)
        #expect(transport.shutDownCount == 0)
        gate.open()
        let response = try await call.value
        #expect(response.status == .ok)
        let report = await end.value
        #expect(report.finished == 1)
        #expect(report.cancelled.isEmpty)
        #expect(transport.shutDownCount == 1)
        #expect(transport.requests.count == 1)
    }

    @Test func `the deadline cancels calls that have not finished, also if the transport hangs`()
        async throws
    {
        let gate = Gate()
        let clock = TestClock()
        let transport = ScriptedTransport { request, _ in
            await gate.pass()
            return .answer(request)
        }
        let service = try DataRequestService.forTests(transport, clock: clock)
        let call = Task { try await service.response(for: DataRequest(.get, "a").named("slow")) }
        await gate.arrivals(1)
        let ends = (0..<3).map { _ in Task { await service.shutDown(deadline: .seconds(20)) } }
        await clock.waitForSleep { $0 == .seconds(20) }
        clock.advance(by: .seconds(20))
        let error = await failure { _ = try await call.value }
        #expect(error?.code == .shutDown)
        for end in ends {
            let report = await end.value
            #expect(report.cancelled == ["slow"])
            #expect(report.finished == 0)
        }
        #expect(transport.shutDownCount == 1)
        #expect(service.inFlight == ["slow"])
        gate.open()
    }

    @Test func `a second call without time cuts the first one short`() async throws {
        let gate = Gate()
        let clock = TestClock()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                try await gate.passOrCancel()
                return .answer(request)
            }, clock: clock)
        let call = Task { try await service.response(for: DataRequest(.get, "a")) }
        await gate.arrivals(1)
        let first = Task { await service.shutDown(deadline: .seconds(20)) }
        await clock.waitForSleep { $0 == .seconds(20) }
        let second = await service.shutDown(deadline: .zero)
        let report = await first.value
        #expect(report.cancelled == second.cancelled)
        #expect(report.cancelled.count == 1)
        let error = await failure { _ = try await call.value }
        #expect(error?.code == .shutDown)
    }

    @Test func `the shutdown ends an unread body`() async throws {
        let clock = TestClock()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                IncomingResponse(url: request.url, status: .ok, body: ByteStream(Unending()))
            }, clock: clock)
        let response = try await service.response(for: DataRequest(.get, "a"))
        let report = await service.shutDown(deadline: .zero)
        #expect(report.cancelled == ["GET https://api.example.com/v1/a"])
        let error = await failure { _ = try await response.text() }
        #expect(error?.code == .shutDown)
    }

    @Test func `a completion is called once when the service is shut down`() async throws {
        let gate = Gate()
        let service = try DataRequestService.forTests(
            ScriptedTransport { request, _ in
                await gate.pass()
                return .answer(request)
            })
        let calls = Lock(0)
        let error: (any Error)? = await withContinuation { continuation in
            service.start(DataRequest(.get, "a")) { result in
                calls.withLock { $0 += 1 }
                if case .failure(let error) = result {
                    continuation.resume(returning: error)
                } else {
                    continuation.resume(returning: nil)
                }
            }
            Task {
                await gate.arrivals(1)
                await service.shutDown(deadline: .zero)
                gate.open()
            }
        }
        #expect((error as? DataRequestError)?.code == .shutDown)
        while !service.inFlight.isEmpty { await Task.yield() }
        #expect(calls.withLock { $0 } == 1)
    }
}
#endif
