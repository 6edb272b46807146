#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import SkiathosLocks
import Skiathos
import SkiathosTesting
import Synchronization
import TestClocks
import Testing

@testable import DataRequestPersistence

/// Retry with back-off, offline queue in the store.
struct OfflineQueueTests {
    @Test func `commits wake a queue that runs`() async throws {
        try await QueueFixture.run { fixture in
            let events = fixture.queue.events
            try await fixture.running {
                try await fixture.enqueue("a", "b")
                try await fixture.enqueue("c", key: "other")
                let seen = await events.first(3)
                #expect(seen.count == 3)
            }
            #expect(fixture.server.paths.filter { $0 != "c" } == ["a", "b"])
            let counts = try await fixture.queue.counts()
            #expect(counts == .init(pending: 0, deadLetters: 0))
        }
    }

    @Test func `a failure delays only its key, for twice as long each time`() async throws {
        try await QueueFixture.run { fixture in
            fixture.server.script { path, count in
                if path == "a", count < 3 { throw unreachable }
                return .ok
            }
            let ids = try await fixture.enqueue("a", "b")
            try await fixture.enqueue("c", key: "other")
            let events = fixture.queue.events
            try await fixture.running {
                for wait in [1, 2, 4] {
                    await fixture.clock.waitForSleep(
                        until: .seconds([1: 1, 2: 3, 4: 7][wait] ?? 0))
                    let item = try await fixture.dal.read { try QueuedRequest.find(ids[0], in: $0) }
                    #expect(item?.lastError == "connectionFailed")
                    fixture.clock.advance(by: .seconds(wait))
                }
                var delivered = 0
                for await event in events {
                    if case .delivered = event { delivered += 1 }
                    if delivered == 3 { break }
                }
            }
            #expect(fixture.server.paths.filter { $0 != "c" } == ["a", "a", "a", "a", "b"])
            #expect(fixture.server.paths.firstIndex(of: "c").map { $0 < 3 } == true)
            let keys = Set(fixture.server.arrivals.filter { $0.path == "a" }.map(\.key))
            #expect(keys.count == 1)
        }
    }

    @Test func `times and counts of attempts hold after a restart`() async throws {
        try await QueueFixture.run { fixture in
            fixture.server.script { _, count in
                if count < 2 { throw unreachable }
                return .ok
            }
            try await fixture.enqueue("a")
            _ = try await fixture.queue.deliverNow()
            _ = try await fixture.queue.deliverNow()
            let next = try QueueFixture.queue(fixture.dal, fixture.server, fixture.clock)
            let events = next.events
            let run = Task { try await next.run() }
            await fixture.clock.waitForSleep(until: .seconds(2))
            #expect(fixture.server.paths.count == 2)
            fixture.clock.advance(by: .seconds(2))
            _ = await events.first(1)
            await next.stop()
            try await run.value
            #expect(fixture.server.paths.count == 3)
        }
    }

    @Test func `the queue waits as long as Retry-After says`() async throws {
        try await QueueFixture.run { fixture in
            fixture.server.script { _, count in
                guard count == 0 else { return .ok }
                var error = DataRequestError(
                    .unexpectedStatus, "Busy.", retry: .after(.seconds(60)))
                error.status = .tooManyRequests
                throw error
            }
            try await fixture.enqueue("a")
            let events = fixture.queue.events
            try await fixture.running {
                await fixture.clock.waitForSleep(until: .seconds(60))
                fixture.clock.advance(by: .seconds(60))
                _ = await events.first(2)
            }
            #expect(fixture.server.paths.count == 2)
        }
    }

    @Test func `waiting requests are retried at once when the network is back`() async throws {
        try await QueueFixture.run { fixture in
            let isBack = Lock(false)
            fixture.server.script { _, _ in
                guard isBack.withLock({ $0 }) else { throw unreachable }
                return .ok
            }
            for key in ["x", "y", "z"] { try await fixture.enqueue(key, key: key) }
            let events = fixture.queue.events
            try await fixture.running {
                _ = await events.first(3)
                isBack.withLock { $0 = true }
                fixture.queue.retryWaiting()
                let delivered = await fixture.queue.deliveredCount(3, events)
                #expect(delivered == 3)
            }
        }
    }

    @Test func `waiting requests are retried at once when any request finds the host reachable`()
        async throws
    {
        try await QueueFixture.run { fixture in
            let host = Host()
            fixture.server.script { _, _ in
                guard host.isThere else { throw unreachable }
                return .ok
            }
            for key in ["x", "y", "z"] { try await fixture.enqueue(key, key: key) }
            let events = fixture.queue.events
            try await fixture.running {
                _ = await events.first(3)
                // A slow listener gets only the newest value, so the host comes and goes until
                // the queue was notified of both.
                let coming = Task { [service = fixture.queue.service] in
                    while !Task.isCancelled {
                        host.isThere = false
                        for _ in 1...2 { _ = try? await service.get("ping") }
                        host.isThere = true
                        _ = try? await service.get("ping")
                    }
                    host.isThere = true
                }
                let delivered = await fixture.queue.deliveredCount(3, events)
                coming.cancel()
                await coming.value
                #expect(delivered == 3)
            }
        }
    }

    @Test
    func `a dead letter blocks its key until it is retried or discarded`() async throws {
        try await QueueFixture.run { fixture in
            fixture.server.script { path, count in
                path.hasPrefix("bad") && count == 0 ? .unprocessableContent : .ok
            }
            let ids = try await fixture.enqueue("bad-1", "a", "bad-2", "b")
            try await fixture.enqueue("c", key: "other")
            let first = try await fixture.queue.deliverNow()
            #expect(first == .init(delivered: 1, postponed: 0, deadLettered: 1, waiting: 3))
            let deadLetters = try await fixture.queue.deadLetters()
            #expect(deadLetters.map(\.id) == [ids[0]])
            #expect(deadLetters.first?.lastStatus == 422)
            #expect(deadLetters.first?.lastError == "unexpectedStatus")
            let none = try await fixture.queue.deliverNow()
            #expect(none.delivered == 0)
            try await fixture.queue.retry(ids[0])
            let second = try await fixture.queue.deliverNow()
            #expect(second == .init(delivered: 2, postponed: 0, deadLettered: 1, waiting: 1))
            try await fixture.queue.discard(ids[2])
            let third = try await fixture.queue.deliverNow()
            #expect(third == .init(delivered: 1, postponed: 0, deadLettered: 0, waiting: 0))
            #expect(
                fixture.server.paths.filter { $0 != "c" }
                    == ["bad-1", "bad-1", "a", "bad-2", "b"])
            let error = await #expect(throws: DataAccessError.self) {
                try await fixture.queue.retry(ids[2])
            }
            #expect(error?.code == .notFound)
        }
    }

    @Test(arguments: [
        DataRequestError.Code.connectionFailed, .circuitOpen, .untrusted, .pinMismatch,
    ])
    func `an attempt that did not reach the server makes no dead letter`(
        _ code: DataRequestError.Code
    ) async throws {
        try await QueueFixture.run({ $0.maximumAttempts = 3 }) { fixture in
            fixture.server.script { path, count in
                if count < 5 { throw DataRequestError(code, "Out of reach.", retry: .later) }
                // Those that reach the server count.
                return path == "bad" || count < 7 ? .badGateway : .ok
            }
            let ids = try await fixture.enqueue("a")
            try await fixture.enqueue("bad", key: "other")
            for attempt in 1...5 {
                let report = try await fixture.queue.deliverNow()
                #expect(report == .init(delivered: 0, postponed: 2, deadLettered: 0, waiting: 2))
                let item = try await fixture.dal.read { try QueuedRequest.find(ids[0], in: $0) }
                // The waits grow all the same.
                #expect(item?.attempts == attempt)
                #expect(item?.attemptsAtServer == 0)
            }
            _ = try await fixture.queue.deliverNow()
            _ = try await fixture.queue.deliverNow()
            let last = try await fixture.queue.deliverNow()
            #expect(last == .init(delivered: 1, postponed: 0, deadLettered: 1, waiting: 0))
            let deadLetters = try await fixture.queue.deadLetters()
            #expect(deadLetters.map(\.attemptsAtServer) == [3])
            try await fixture.queue.retry(deadLetters[0].id)
            let pending = try await fixture.queue.pending()
            #expect(pending.map(\.attemptsAtServer) == [0])
        }
    }

    @Test func `an attempt that is refused before anything is sent makes no dead letter`()
        async throws
    {
        try await QueueFixture.run { fixture in
            let isRepaired = Lock(false)
            let service = try fixture.server.service {
                $0.prepare = { request, _ in
                    guard !isRepaired.withLock({ $0 }) else { return }
                    request = request.header(.acceptLanguage, "en\r\nde")
                }
            }
            var configuration = OfflineQueue.Configuration()
            configuration.maximumAttempts = 2
            let queue = OfflineQueue(fixture.dal, over: service, configuration: configuration)
            try await fixture.enqueue("a")
            for attempt in 1...3 {
                let report = try await queue.deliverNow()
                #expect(report == .init(delivered: 0, postponed: 1, deadLettered: 0, waiting: 1))
                let pending = try await queue.pending()
                #expect(pending.map(\.attempts) == [attempt])
                #expect(pending.map(\.attemptsAtServer) == [0])
                #expect(pending.first?.lastError == "invalidHeader")
            }
            #expect(fixture.server.paths == [])
            isRepaired.withLock { $0 = true }
            let report = try await queue.deliverNow()
            #expect(report.delivered == 1)
        }
    }

    @Test(arguments: [
        ("POST", 301, ["POST"]), ("POST", 302, ["POST"]), ("POST", 303, ["POST", "GET"]),
        ("POST", 307, ["POST", "POST"]), ("POST", 308, ["POST", "POST"]),
        ("PUT", 301, ["PUT", "PUT"]), ("PUT", 302, ["PUT", "PUT"]), ("PUT", 303, ["PUT", "GET"]),
        ("DELETE", 302, ["DELETE", "DELETE"]), ("GET", 302, ["GET", "GET"]),
    ])
    func `a redirect that would drop the body of a POST makes it a dead letter`(
        _ method: String, _ status: Int, _ sent: [String]
    ) async throws {
        let method = try #require(HTTPRequest.Method(method))
        let request = DataRequest(method, "a").body(.data(Data("{}".utf8)))
        let isDelivered = sent.count > 1
        try await QueueFixture.run { fixture in
            fixture.server.script(headers: [.location: "elsewhere"]) { path, _ in
                path == "a" ? HTTPResponse.Status(code: status) : .ok
            }
            try await fixture.dal.write { try $0.enqueue(request, key: "k") }
            let report = try await fixture.queue.deliverNow()
            #expect(fixture.server.requests.map(\.method.rawValue) == sent)
            #expect(report.delivered == (isDelivered ? 1 : 0))
            let deadLetters = try await fixture.queue.deadLetters()
            #expect(deadLetters.compactMap(\.lastStatus) == (isDelivered ? [] : [status]))
            #expect(
                deadLetters.compactMap(\.lastError) == (isDelivered ? [] : ["unexpectedStatus"]))
        }
    }

    @Test func `a queued request follows no redirect that its service does not follow`()
        async throws
    {
        try await QueueFixture.run { fixture in
            fixture.server.script(headers: [.location: "https://other.example/"]) { _, _ in
                .temporaryRedirect
            }
            let service = try fixture.server.service { $0.redirects = .none }
            try await fixture.enqueue("a")
            let queue = OfflineQueue(fixture.dal, over: service)
            _ = try await queue.deliverNow()
            let deadLetters = try await queue.deadLetters()
            #expect(deadLetters.map(\.lastStatus) == [307])
            #expect(fixture.server.paths == ["a"])
        }
    }

    @Test func `dead letters are retried after signing in, and 401 makes no dead letter`()
        async throws
    {
        try await QueueFixture.run { fixture in
            fixture.server.script { path, count in
                guard count == 0 else { return .ok }
                return path == "a" ? .unauthorized : path == "b" ? .forbidden : .notFound
            }
            for path in ["a", "b", "c"] { try await fixture.enqueue(path, key: path) }
            let first = try await fixture.queue.deliverNow()
            #expect(first == .init(delivered: 0, postponed: 1, deadLettered: 2, waiting: 1))
            let count = try await fixture.queue.retryDeadLetters { $0.lastStatus == 403 }
            #expect(count == 1)
            let second = try await fixture.queue.deliverNow()
            #expect(second == .init(delivered: 2, postponed: 0, deadLettered: 0, waiting: 0))
            #expect(try await fixture.queue.retryDeadLetters() == 1)
            let third = try await fixture.queue.deliverNow()
            #expect(third.delivered == 1)
            #expect(try await fixture.queue.retryDeadLetters() == 0)
        }
    }

    @Test func `the queue reads a Retry-After with a date in an old form`() async throws {
        try await QueueFixture.run({
            $0.isPermanent = { _ in false }
            $0.now = { Date(timeIntervalSinceReferenceDate: 0) }
        }) { fixture in
            fixture.server.script(
                headers: [.retryAfter: "Monday, 01-Jan-01 00:01:00 GMT"]
            ) { _, _ in
                .conflict
            }
            let ids = try await fixture.enqueue("a")
            _ = try await fixture.queue.deliverNow()
            let item = try await fixture.dal.read { try QueuedRequest.find(ids[0], in: $0) }
            #expect(item?.nextAttempt == Date(timeIntervalSinceReferenceDate: 60))
        }
    }

    @Test func `retrying and discarding wake a queue that runs`() async throws {
        try await QueueFixture.run { fixture in
            fixture.server.script { path, count in
                path == "bad" || (path == "worse" && count == 0) ? .badRequest : .ok
            }
            let ids = try await fixture.enqueue("bad", "worse", "a")
            let events = fixture.queue.events
            try await fixture.running {
                _ = await events.first(1)
                try await fixture.queue.discard(ids[0])
                _ = await events.first(1)
                try await fixture.queue.retry(ids[1])
                _ = await events.first(2)
            }
            #expect(fixture.server.paths == ["bad", "worse", "worse", "a"])
        }
    }

    @Test func `a queue may pass over dead letters`() async throws {
        try await QueueFixture.run({ $0.deadLetterPolicy = .passOver }) { fixture in
            fixture.server.script { path, _ in path == "bad" ? .notFound : .ok }
            try await fixture.enqueue("a", "bad", "b")
            let report = try await fixture.queue.deliverNow()
            #expect(report == .init(delivered: 2, postponed: 0, deadLettered: 1, waiting: 0))
        }
    }

    @Test func `onDelivered and the removal are one write, whose failure makes a dead letter`()
        async throws
    {
        struct Refused: Error {}
        try await QueueFixture.run({
            $0.onDelivered = { item, answer, context in
                try Song.create(in: context) {
                    $0.title = String(decoding: answer.body, as: UTF8.self)
                }
                if item.path == "b" { throw Refused() }
            }
        }) { fixture in
            try await fixture.enqueue("a", "b")
            let report = try await fixture.queue.deliverNow()
            #expect(report == .init(delivered: 1, postponed: 0, deadLettered: 1, waiting: 0))
            let songs = try await fixture.dal.read { try Song.all(in: $0) }
            #expect(songs.map(\.title) == ["answer to a"])
            let deadLetters = try await fixture.queue.deadLetters()
            #expect(deadLetters.first?.lastError == "answerNotStored")
        }
    }

    @Test func `two queues over one store deliver each request once`() async throws {
        try await QueueFixture.run { fixture in
            let other = try QueueFixture.queue(fixture.dal, fixture.server, fixture.clock)
            let (mine, theirs) = (fixture.queue.events, other.events)
            let run = Task { try await other.run() }
            try await fixture.running {
                for key in 0..<20 {
                    for number in 0..<5 {
                        try await fixture.enqueue("\(key)-\(number)", key: "\(key)")
                    }
                }
                try await confirmAll(100, mine, theirs)
            }
            await other.stop()
            try await run.value
            #expect(fixture.server.paths.count == 100)
            for key in 0..<20 {
                #expect(
                    fixture.server.paths.filter { $0.hasPrefix("\(key)-") }
                        == (0..<5).map { "\(key)-\($0)" })
            }
        }
    }

    private func confirmAll(
        _ count: Int, _ streams: AsyncStream<OfflineQueue.Event>...
    ) async throws {
        let (all, both) = AsyncStream.makeStream(of: Void.self)
        let tasks = streams.map { stream in
            Task { for await _ in stream { both.yield() } }
        }
        _ = await all.first(count)
        for task in tasks { task.cancel() }
    }

    @Test func `stopping lets a delivery finish, and cancelling loses nothing`() async throws {
        try await QueueFixture.run { fixture in
            let (inside, entered) = AsyncStream.makeStream(of: Void.self)
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            fixture.server.script { path, _ in
                entered.yield()
                if path == "a" { for await _ in gate { break } }
                try Task.checkCancellation()
                return .ok
            }
            try await fixture.enqueue("a", "b")
            let run = Task { try await fixture.queue.run() }
            _ = await inside.first(1)
            async let stopped = fixture.queue.stop()
            // The deadline is being waited for, so nothing new is begun.
            await fixture.clock.waitForSleep(until: .seconds(10))
            open.yield()
            let isInTime = await stopped
            try await run.value
            #expect(isInTime)
            let left = try await fixture.queue.pending()
            #expect(left.map(\.path) == ["b"])

            try await fixture.enqueue("a", key: "again")
            let next = Task { try await fixture.queue.run() }
            _ = await inside.first(2)
            async let late = fixture.queue.stop(within: .seconds(5))
            await fixture.clock.waitForSleep(until: .seconds(5))
            fixture.clock.advance(by: .seconds(5))
            let isLate = await late
            #expect(!isLate)
            await #expect(throws: CancellationError.self) { try await next.value }
            let rest = try await fixture.queue.pending()
            #expect(rest.map(\.path) == ["a"])
            #expect(rest.first?.attempts == 0)
        }
    }

    @Test func `closing the store ends a run`() async throws {
        let server = ScriptedServer()
        let dal = try await DataAccessLayer.open(
            .inMemory, entities: [Song.self] + DataRequestEntities.all)
        let queue = try QueueFixture.queue(dal, server, TestClock())
        let events = queue.events
        let run = Task { try await queue.run() }
        try await dal.write { try $0.enqueue(DataRequest(.post, "a"), key: "k") }
        _ = await events.first(1)
        try await dal.close()
        try await run.value
    }

    @Test func `a time that is too far ahead is treated as a wrong clock`() async throws {
        try await QueueFixture.run { fixture in
            let ids = try await fixture.enqueue("a")
            try await fixture.dal.write { context in
                try QueuedRequest.find(ids[0], in: context)?.nextAttempt = Date(
                    timeIntervalSinceReferenceDate: 1e9)
            }
            let events = fixture.queue.events
            try await fixture.running { _ = await events.first(1) }
            #expect(fixture.server.paths == ["a"])
        }
    }
}

extension OfflineQueue {
    /// Waits until so many were delivered.
    func deliveredCount(_ count: Int, _ events: AsyncStream<Event>) async -> Int {
        var delivered = 0
        for await event in events {
            if case .delivered = event { delivered += 1 }
            if delivered == count { break }
        }
        return delivered
    }
}

/// A host that is there or not.
private final class Host: Sendable {
    private let state = Lock(false)

    var isThere: Bool {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }
}
#endif
