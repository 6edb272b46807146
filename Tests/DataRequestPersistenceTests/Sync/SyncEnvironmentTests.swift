#if RequestCore
import DataRequestCore
import Foundation
import SkiathosLocks
import Skiathos
import Synchronization
import Testing

@testable import DataRequestPersistence

/// What is stored belongs to the server that has answered.
struct SyncEnvironmentTests {
    /// Switches the service to another server while a page, from 0, is on its way.
    private func switchEnvironment(
        of fixture: SyncFixture, duringPage number: Int
    ) throws {
        let base = try #require(URL(string: "https://other.example/api"))
        fixture.server.state.withLock {
            $0.beforeAnswer = {
                guard fixture.server.requests.count == number else { return }
                try fixture.service.switchEnvironment(
                    to: ServerEnvironment("other", baseURL: base))
            }
        }
    }

    @Test func `validators of a server are not sent to another one that was switched to`()
        async throws
    {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(12))
            try switchEnvironment(of: fixture, duringPage: 0)
            let first = try await fixture.sync()
            #expect(first.inserted == 12)
            fixture.server.state.withLock { $0.beforeAnswer = nil }
            // The other server has the same validators, as if by chance.
            let second = try await fixture.sync()
            #expect(!second.isNotModified)
            #expect(second.unchanged == 12)
            let third = try await fixture.sync()
            #expect(third.isNotModified)
            #expect(fixture.server.state.withLock { $0.notModified } == 1)
        }
    }

    @Test(arguments: [0, 1])
    func `a run that a switch has ended is not continued at the other server`(
        page: Int
    ) async throws {
        @Sendable func paging(_ options: inout SyncOptions<Song>) {
            options.pages = .offset(limit: 5)
        }
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(12))
            try switchEnvironment(of: fixture, duringPage: page)
            let error = await #expect(throws: DataRequestError.self) {
                try await fixture.sync(paging)
            }
            #expect(error?.code == .invalidPage)
            let stored = try await fixture.dal.read { try Song.count(in: $0) }
            #expect(stored == 5 * (page + 1))
            fixture.server.state.withLock { $0.beforeAnswer = nil }
            let report = try await fixture.sync(paging)
            #expect(report.elementsBefore == 0)
            #expect(report.unchanged == stored)
            #expect(report.inserted == 12 - stored)
        }
    }
}
#endif
