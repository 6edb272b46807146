#if RequestCore
import DataRequestCore
import Foundation
import HTTPTypes
import SkiathosLocks
import Skiathos
import Synchronization
import Testing

@testable import DataRequestPersistence

struct SyncPendingTests {
    /// A client with one song that was changed locally, and a queue that delivers to the server.
    private func run(
        _ body: @Sendable (SyncFixture, OfflineQueue) async throws -> Void
    ) async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set([1: "A", 2: "B"])
            try await fixture.sync()
            try await fixture.dal.write { context in
                try Song.first(where: { $0.serverID == 1 }, in: context)?.title = "Mine"
                try context.enqueue(DataRequest(.put, "songs/1"), key: "song-1")
            }
            let queue = OfflineQueue(fixture.dal, over: fixture.service)
            try await body(fixture, queue)
        }
    }

    private func keeping(_ options: inout SyncOptions<Song>) {
        options.skipRowsWithQueuedChanges = { "song-\($0.serverID)" }
        options.deleteMissing = .all
    }

    @Test func `a row with a queued change is neither changed nor deleted`() async throws {
        try await run { fixture, queue in
            fixture.server.set([1: "Theirs", 2: "C"])
            let report = try await fixture.sync(keeping)
            #expect(report.kept == 1)
            #expect(report.updated == 1)
            let titles = try await fixture.titles()
            #expect(titles == [1: "Mine", 2: "C"])
            fixture.server.set([2: "C"])
            let second = try await fixture.sync(keeping)
            #expect(second.kept == 1)
            #expect(second.deleted == 0)
            // As soon as nothing waits, the server is right again, though it has not changed.
            let waiting = try await queue.pending()
            try await queue.discard(try #require(waiting.first).id)
            let third = try await fixture.sync(keeping)
            #expect(!third.isNotModified)
            #expect(third.deleted == 1)
            let last = try await fixture.sync(keeping)
            #expect(last.isNotModified)
        }
    }

    @Test func `a row that was deleted with a queued change does not come back`() async throws {
        try await run { fixture, _ in
            try await fixture.dal.write { context in
                try Song.first(where: { $0.serverID == 1 }, in: context)?.delete()
            }
            fixture.server.set([1: "A", 2: "B2"])
            let report = try await fixture.sync(keeping)
            #expect(report.kept == 1)
            #expect(report.inserted == 0)
            let titles = try await fixture.titles()
            #expect(titles == [2: "B2"])
        }
    }

    @Test func `a page that was requested before a delivery does not undo it`() async throws {
        try await run { fixture, queue in
            fixture.server.set([1: "Old", 2: "B"])
            let isFirst = Lock(true)
            fixture.server.state.withLock {
                $0.beforeAnswer = {
                    guard
                        isFirst.withLock({ value in
                            defer { value = false }
                            return value
                        })
                    else { return }
                    // The change arrives while the page is on its way, which does not know of it.
                    let report = try await queue.deliverNow()
                    #expect(report.delivered == 1)
                }
            }
            let report = try await fixture.sync(keeping)
            #expect(report.kept == 1)
            let titles = try await fixture.titles()
            #expect(titles[1] == "Mine")
            fixture.server.set([1: "Mine, says the server", 2: "B"])
            let next = try await fixture.sync(keeping)
            #expect(next.kept == 0)
            #expect(next.updated == 1)
        }
    }

    private func keepingPages(_ options: inout SyncOptions<Song>) {
        keeping(&options)
        options.pages = .offset(limit: 1)
        options.revalidation = .firstPage
    }

    /// Runs a step before each answer of the server, as long as there are some.
    private func script(
        _ fixture: SyncFixture, _ steps: [@Sendable () async throws -> Void]
    ) {
        let rest = Lock(steps[...])
        fixture.server.state.withLock {
            $0.beforeAnswer = {
                if let step = rest.withLock({ $0.popFirst() }) { try await step() }
            }
        }
    }

    /// Creates a song that no page has, and delivers the request for it.
    private func deliverNewSong(_ fixture: SyncFixture) async throws {
        try await fixture.dal.write { context in
            try Song.create(in: context) { $0.serverID = 100 }
            try context.enqueue(DataRequest(.post, "songs"), key: "song-100")
        }
        let queue = OfflineQueue(fixture.dal, over: fixture.service)
        let report = try await queue.deliverNow()
        #expect(report.delivered == 1)
    }

    @Test func `a row that was created and delivered between the pages of a run stays`()
        async throws
    {
        try await SyncFixture.run { fixture in
            fixture.server.set([1: "A", 2: "B"])
            script(fixture, [{ try await deliverNewSong(fixture) }])
            let report = try await fixture.sync(keepingPages)
            #expect(report.pages == 3)
            #expect(report.deleted == 0)
            #expect(report.kept == 1)
            let titles = try await fixture.titles()
            #expect(titles == [1: "A", 2: "B", 100: ""])
            // All pages of the next run are requested after the delivery.
            let next = try await fixture.sync(keepingPages)
            #expect(!next.isNotModified)
            #expect(next.deleted == 1)
            let marks = try await fixture.dal.read { try SyncMark.count(in: $0) }
            #expect(marks == 0)
        }
    }

    @Test(arguments: [true, false])
    func `a run that is continued deletes no row that was delivered since it has begun`(
        isDuringPage: Bool
    ) async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set([1: "A", 2: "B"])
            let deliver: @Sendable () async throws -> Void = { try await deliverNewSong(fixture) }
            let fail: @Sendable () async throws -> Void = { throw CancellationError() }
            // The delivery is a request as well.
            script(fixture, isDuringPage ? [deliver, {}, fail] : [{}, fail])
            await #expect(throws: (any Error).self) { try await fixture.sync(keepingPages) }
            if !isDuringPage { try await deliver() }
            let report = try await fixture.sync(keepingPages)
            #expect(report.elementsBefore == 1)
            #expect(report.deleted == 0)
            #expect(report.kept == 1)
            let next = try await fixture.sync(keepingPages)
            #expect(next.elementsBefore == 0)
            #expect(next.deleted == 1)
            let marks = try await fixture.dal.read { try SyncMark.count(in: $0) }
            #expect(marks == 0)
        }
    }

    @Test func `a run that was begun without protection of rows is not continued with it`()
        async throws
    {
        try await SyncFixture.run { fixture in
            fixture.server.set([1: "A", 2: "B"])
            script(fixture, [{}, { throw CancellationError() }])
            await #expect(throws: (any Error).self) {
                try await fixture.sync { options in
                    keepingPages(&options)
                    options.skipRowsWithQueuedChanges = nil
                }
            }
            try await deliverNewSong(fixture)
            let report = try await fixture.sync(keepingPages)
            #expect(report.elementsBefore == 0)
            // All pages were requested after the delivery.
            #expect(report.deleted == 1)
        }
    }

    @Test func `a dead letter protects no row`() async throws {
        try await run { fixture, _ in
            try await fixture.dal.write { context in
                try QueuedRequest.first(in: context)?.state = .deadLetter
            }
            fixture.server.set([1: "Theirs", 2: "B"])
            let report = try await fixture.sync(keeping)
            #expect(report.kept == 0)
            let titles = try await fixture.titles()
            #expect(titles[1] == "Theirs")
        }
    }
}
#endif
