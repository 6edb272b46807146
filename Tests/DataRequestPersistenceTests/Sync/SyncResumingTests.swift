#if RequestCore
import DataRequestCore
import Foundation
import SkiathosLocks
import Skiathos
import Synchronization
import Testing

@testable import DataRequestPersistence

struct SyncResumingTests {
    /// A sync that loses its connection; what lies in the store then.
    private func breakOff(
        _ fixture: SyncFixture, after bytes: Int, page: String? = nil,
        _ change: (inout SyncOptions<Song>) -> Void = { _ in }
    ) async throws -> Int {
        fixture.server.state.withLock { ($0.cut, $0.cutsPage) = (bytes, page) }
        let error = await #expect(throws: DataRequestError.self) { try await fixture.sync(change) }
        #expect(error?.code == .connectionLost)
        fixture.server.state.withLock { ($0.cut, $0.cutsPage) = (nil, nil) }
        return try await fixture.dal.read { try Song.count(in: $0) }
    }

    @Test func `an unchanged page is continued where it was interrupted`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(100))
            let stored = try await breakOff(fixture, after: 1500) { $0.deleteMissing = .all }
            #expect(stored > 10 && stored < 100 && stored.isMultiple(of: 10))
            let report = try await fixture.sync { $0.deleteMissing = .all }
            #expect(report.elementsBefore == stored)
            #expect(report.inserted == 100 - stored)
            #expect(report.unchanged == 0)
            #expect(report.deleted == 0)
            let titles = try await fixture.titles()
            #expect(titles == SyncFixture.numbered(100))
            let next = try await fixture.sync { $0.deleteMissing = .all }
            #expect(next.isNotModified)
        }
    }

    @Test func `a changed page makes the sync start over, which deletes missing rows`() async throws
    {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(100))
            let stored = try await breakOff(fixture, after: 1500) { $0.deleteMissing = .all }
            var songs = SyncFixture.numbered(100)
            songs[1] = nil
            songs[2] = "Other"
            fixture.server.set(songs)
            let report = try await fixture.sync { $0.deleteMissing = .all }
            #expect(report.elementsBefore == 0)
            #expect(report.deleted == 1)
            #expect(report.updated == 1)
            #expect(report.unchanged == stored - 2)
            let titles = try await fixture.titles()
            #expect(titles == songs)
        }
    }

    @Test func `an interrupted run deletes nothing`() async throws {
        try await SyncFixture.run { fixture in
            try await fixture.dal.write { try Song.create(in: $0) { $0.serverID = 1000 } }
            fixture.server.set(SyncFixture.numbered(100))
            let stored = try await breakOff(fixture, after: 1500) { $0.deleteMissing = .all }
            #expect(stored.isMultiple(of: 10) == false)
            let titles = try await fixture.titles()
            #expect(titles[1000] != nil)
            try await fixture.sync { $0.deleteMissing = .all }
            let after = try await fixture.titles()
            #expect(after[1000] == nil)
        }
    }

    @Test(arguments: ["link", "cursor", "offset"])
    func `a run is continued at a later page`(_ kind: String) async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(95))
            let request =
                kind == "offset" ? DataRequest.songs : DataRequest.songs.query("limit", "20")
            var options = fixture.options
            options.deleteMissing = .all
            options.pages =
                switch kind {
                case "link": .linkHeader
                case "cursor": .cursor("after") { try $0.decode(Envelope.self).next }
                default: .offset(limit: 20)
                }
            let pages = Lock(0)
            var broken = options
            broken.progress = { progress in pages.withLock { $0 = progress.pages } }
            let task = Task { [broken] in
                try await fixture.dal.sync(
                    Song.self, from: request, over: fixture.service, by: \.serverID,
                    options: broken)
            }
            // The third page is not answered: its task is cancelled instead.
            fixture.server.state.withLock {
                $0.beforeAnswer = { if pages.withLock({ $0 }) == 3 { throw CancellationError() } }
            }
            _ = try? await task.value
            fixture.server.state.withLock { $0.beforeAnswer = nil }
            let stored = try await fixture.dal.read { try Song.count(in: $0) }
            #expect(stored == 60)
            let asked = fixture.server.requests.count
            let report = try await fixture.dal.sync(
                Song.self, from: request, over: fixture.service, by: \.serverID, options: options)
            #expect(report.elementsBefore == 60)
            #expect(report.inserted == 35)
            #expect(report.deleted == 0)
            // Whether the first page has changed, and two pages.
            #expect(fixture.server.requests.count - asked == 3)
            let titles = try await fixture.titles()
            #expect(titles == SyncFixture.numbered(95))
        }
    }

    private struct Envelope: Decodable { var next: String? }

    @Test func `a changed first page makes the sync start over`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(50))
            func options(_ options: inout SyncOptions<Song>) { options.pages = .offset(limit: 20) }
            fixture.server.state.withLock {
                $0.beforeAnswer = {
                    if fixture.server.requests.count == 2 { throw CancellationError() }
                }
            }
            await #expect(throws: (any Error).self) { try await fixture.sync(options) }
            fixture.server.state.withLock { $0.beforeAnswer = nil }
            fixture.server.set(SyncFixture.numbered(50, "Other"))
            let report = try await fixture.sync(options)
            #expect(report.elementsBefore == 0)
            #expect(report.updated == 40)
            #expect(report.inserted == 10)
        }
    }

    @Test func `starting over ignores an interrupted run and the validators`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(30))
            try await fixture.sync()
            let report = try await fixture.sync { $0.startsAnew = true }
            #expect(report.unchanged == 30)
            let mapped = try await fixture.sync { $0.mappingVersion = 2 }
            #expect(mapped.unchanged == 30)
        }
    }

    @Test func `cancelling leaves whole batches behind`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(100))
            let task = Lock<Task<SyncReport, any Error>?>(nil)
            let (started, start) = AsyncStream.makeStream(of: Void.self)
            let sync = Task {
                for await _ in started { break }
                return try await fixture.sync {
                    $0.progress = { _ in task.withLock { $0?.cancel() } }
                }
            }
            task.withLock { $0 = sync }
            start.yield()
            await #expect(throws: CancellationError.self) { try await sync.value }
            let stored = try await fixture.dal.read { try Song.count(in: $0) }
            #expect(stored == 10)
            let report = try await fixture.sync()
            #expect(report.elementsBefore == 10)
            #expect(report.inserted == 90)
        }
    }
}
#endif
