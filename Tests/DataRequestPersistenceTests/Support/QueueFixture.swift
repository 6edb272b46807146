#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import SkiathosLocks
import Skiathos
import SkiathosTesting
import Synchronization
import TestClocks

@testable import DataRequestPersistence

/// A queue, the server that it delivers to, and its clock.
struct QueueFixture: Sendable {
    let dal: DataAccessLayer
    let server: ScriptedServer
    let clock: TestClock
    let queue: OfflineQueue

    static func run(
        _ configure: @Sendable (inout OfflineQueue.Configuration) -> Void = { _ in },
        _ body: @Sendable (QueueFixture) async throws -> Void
    ) async throws {
        try await withStore(.inMemory, entities: [Song.self] + DataRequestEntities.all) { dal in
            try await body(try QueueFixture(dal, configure))
        }
    }

    init(
        _ dal: DataAccessLayer,
        _ configure: @Sendable (inout OfflineQueue.Configuration) -> Void = { _ in }
    ) throws {
        let (server, clock) = (ScriptedServer(), TestClock())
        (self.dal, self.server, self.clock) = (dal, server, clock)
        queue = try Self.queue(dal, server, clock, configure)
    }

    static func queue(
        _ dal: DataAccessLayer, _ server: ScriptedServer, _ clock: TestClock,
        _ configure: (inout OfflineQueue.Configuration) -> Void = { _ in }
    ) throws -> OfflineQueue {
        var configuration = OfflineQueue.Configuration()
        configuration.clock = clock
        configuration.now = { clock.date }
        configuration.random = { 1 }
        configure(&configuration)
        return OfflineQueue(dal, over: try server.service(), configuration: configuration)
    }

    /// Queues requests in a write each.
    @discardableResult
    func enqueue(_ paths: String..., key: String = "k") async throws -> [QueuedRequest.ID] {
        var ids: [QueuedRequest.ID] = []
        for path in paths {
            ids.append(
                try await dal.write {
                    try $0.enqueue(DataRequest(.post, path).body(.data(Data("{}".utf8))), key: key)
                })
        }
        return ids
    }

    /// Runs the queue meanwhile.
    func running(_ body: () async throws -> Void) async throws {
        let run = Task { [queue] in try await queue.run() }
        do { try await body() } catch {
            run.cancel()
            throw error
        }
        await queue.stop()
        try await run.value
    }
}

/// A server that answers as a script says.
final class ScriptedServer: Sendable {
    struct Arrival: Sendable, Hashable {
        let path: String
        let key: String
    }

    private struct State {
        var answer: @Sendable (String, Int) async throws -> HTTPResponse.Status = { _, _ in .ok }
        var headers: HTTPFields = [:]
        var arrivals: [Arrival] = []
        var requests: [OutgoingRequest] = []
        var counts: [String: Int] = [:]
    }

    private let state = Lock(State())

    /// What came, in its order.
    var arrivals: [Arrival] { state.withLock { $0.arrivals } }
    /// The paths that came, in their order.
    var paths: [String] { arrivals.map(\.path) }
    var requests: [OutgoingRequest] { state.withLock { $0.requests } }

    /// Sets what is answered to the path when it comes for the n-th time, from 0.
    func script(
        headers: HTTPFields = [:],
        _ answer: @escaping @Sendable (String, Int) async throws -> HTTPResponse.Status
    ) {
        state.withLock { ($0.answer, $0.headers) = (answer, headers) }
    }

    func service(
        _ configure: (inout DataRequestService.Configuration) -> Void = { _ in }
    ) throws -> DataRequestService {
        guard let base = URL(string: "https://music.example/api") else { throw CancellationError() }
        var configuration = DataRequestService.Configuration()
        // No limit of time passes on a busy machine.
        configuration.clock = TestClock()
        // What is tried again shall be seen.
        configuration.retry = .never
        configure(&configuration)
        return try DataRequestService(
            environment: ServerEnvironment("test", baseURL: base),
            transport: RecordingTransport { try await self.answer($0) },
            configuration: configuration)
    }

    private func answer(_ request: OutgoingRequest) async throws -> IncomingResponse {
        let path = String(request.url.path.dropFirst("/api/".count))
        let (answer, count, headers) = state.withLock { state in
            defer { state.counts[path, default: 0] += 1 }
            state.requests.append(request)
            state.arrivals.append(
                Arrival(path: path, key: request.headers[.idempotencyKey] ?? ""))
            return (state.answer, state.counts[path, default: 0], state.headers)
        }
        return IncomingResponse(
            url: request.url, status: try await answer(path, count), headers: headers,
            body: ByteStream(Data("answer to \(path)".utf8)))
    }
}

/// What a server throws that is out of reach.
let unreachable = DataRequestError(.connectionFailed, "Out of reach.", retry: .later)

extension AsyncStream {
    /// The first so many elements.
    func first(_ count: Int) async -> [Element] {
        var elements: [Element] = []
        for await element in self {
            elements.append(element)
            if elements.count == count { break }
        }
        return elements
    }
}
#endif
