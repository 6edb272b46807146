#if Macros && Requests
import Dispatch
import ServerTestKit
import Skiathos
import TestSupport
import Testing

@testable import NotesServerKit

@Suite(.generousTimeLimit) struct RefusalTests {
    @Test(arguments: [
        ("POST", "/notes", #"{"text":"a"}"#), ("GET", "/notes", nil), ("GET", "/notes/1", nil),
        ("DELETE", "/notes/1", nil), ("GET", "/health", nil),
    ])
    func `the server answers 503 when its store is closed`(
        method: String, path: String, body: String?
    ) async throws {
        try await withService { service in
            try await service.dal.close()
            let answer = try await service.ask(method, path, body)
            #expect(answer.status == 503)
            #expect(answer.headers["retry-after"] == "1")
            #expect(try answer.message() == "The server is stopping.")
        }
    }

    @Test func `the answer of an unhealthy store says whether it fails or is stopping`() {
        for state in [StoreHealth.State.open, .readOnly] {
            #expect(StoreHealth(state: state).problem == nil)
        }
        #expect(StoreHealth(state: .failing).problem == "The store is failing.")
        for state in [StoreHealth.State.closing, .closed] {
            #expect(StoreHealth(state: state).problem == "The server is stopping.")
        }
    }

    @Test func `the server refuses a write at once when too many wait`() async throws {
        try await withService(maximumWaitingWrites: 0) { service in
            let holder = try await WritePermitHolder(service.dal)
            let refused = try await service.post("a")
            #expect(refused.status == 503)
            #expect(refused.headers["retry-after"] == "1")
            #expect(try refused.message() == "Too many writes wait already.")
            // Reads wait in no queue, and the store is as healthy as before.
            #expect(try await service.ask("GET", "/notes").notes() == [])
            #expect(try await service.ask("GET", "/health").status == 200)
            holder.release()
            try await service.dal.flush()
            #expect(try await service.post("b").status == 201)
        }
    }
}

/// Holds the write permit, so that other writes have to wait.
private struct WritePermitHolder: Sendable {
    private let gate = DispatchSemaphore(value: 0)

    /// Waits until it has the permit.
    init(_ dal: DataAccessLayer) async throws {
        let (begins, begin) = AsyncStream.makeStream(of: Void.self)
        dal.enqueue { [gate] _ in
            begin.yield()
            gate.wait()
        }
        _ = await begins.first { true }
    }

    func release() { gate.signal() }
}
#endif
