#if RequestCore
import DataRequestCore
import Foundation
import SkiathosLocks
import Skiathos
import SkiathosTesting
import Synchronization
import Testing

@testable import DataRequestPersistence

/// Fetch and persist as one unit.
struct SyncTests {
    @Test func `a sync inserts, updates, leaves alone and deletes rows`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(25))
            let first = try await fixture.sync { $0.deleteMissing = .all }
            #expect(first.inserted == 25)
            #expect(first.pages == 1)
            #expect(first.bytes > 500)
            var songs = SyncFixture.numbered(25)
            songs[3] = "Changed"
            songs[7] = nil
            songs[30] = "New"
            fixture.server.set(songs)
            let second = try await fixture.sync { $0.deleteMissing = .all }
            #expect(second.inserted == 1)
            #expect(second.updated == 1)
            #expect(second.unchanged == 23)
            #expect(second.deleted == 1)
            let titles = try await fixture.titles()
            #expect(titles == songs)
            let marks = try await fixture.dal.read { try SyncMark.count(in: $0) }
            #expect(marks == 0)
        }
    }

    @Test(arguments: [500, 501, 1_200])
    func `the rows of a write may exchange unique values, however many there are`(
        _ count: Int
    ) async throws {
        try await SyncFixture.run { fixture in
            func map(_ shift: Int) -> @Sendable (Song, WriteContext) throws -> Song? {
                { song, _ in
                    var song = song
                    song.code = "code \((song.serverID + shift) % count)"
                    return song
                }
            }
            var options = fixture.options
            options.batchSize = count
            fixture.server.set(SyncFixture.numbered(count))
            for shift in [0, 1] {
                // Not conditional, since the answer stays the same.
                options.revalidation = .never
                let report = try await fixture.dal.sync(
                    Song.self, from: .songs, over: fixture.service, by: \.serverID,
                    options: options, map: map(shift))
                #expect(report.inserted + report.updated == count)
            }
            let codes = try await fixture.dal.read { try Song.all(in: $0) }
            #expect(codes.allSatisfy { $0.code == "code \(($0.serverID + 1) % count)" })
        }
    }

    @Test func `an unchanged answer writes nothing at all`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(12))
            try await fixture.sync()
            let before = try await fixture.dal.read { try SyncState.all(in: $0) }
            let (songs, states) = (
                fixture.dal.changes(of: Song.self), fixture.dal.changes(of: SyncState.self)
            )
            let report = try await fixture.sync()
            #expect(report.isNotModified)
            #expect(
                report
                    == {
                        var report = SyncReport()
                        report.isNotModified = true
                        return report
                    }())
            #expect(fixture.server.state.withLock { $0.notModified } == 1)
            let after = try await fixture.dal.read { try SyncState.all(in: $0) }
            #expect(before == after)
            // The next change of each is the first that is heard of.
            let id = try await fixture.dal.write { try Song.create(in: $0) { $0.serverID = 99 }.id }
            let state = try await fixture.dal.write {
                try SyncState.create(in: $0) { $0.name = "other" }.id
            }
            var (songEvents, stateEvents) = (
                songs.makeAsyncIterator(), states.makeAsyncIterator()
            )
            guard case .changes(let song)? = try await songEvents.next(),
                case .changes(let other)? = try await stateEvents.next()
            else { throw CancellationError() }
            #expect(song.inserted == [id])
            #expect(other.inserted == [state])
        }
    }

    @Test func `rows that already have the received values are not written`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.state.withLock { $0.hasValidators = false }
            fixture.server.set(SyncFixture.numbered(12))
            try await fixture.sync()
            let feed = fixture.dal.changes(of: Song.self)
            let report = try await fixture.sync()
            #expect(report.unchanged == 12)
            let id = try await fixture.dal.write { try Song.create(in: $0) { $0.serverID = 99 }.id }
            var events = feed.makeAsyncIterator()
            guard case .changes(let changes)? = try await events.next() else {
                throw CancellationError()
            }
            #expect(changes.inserted == [id])
        }
    }

    @Test func `a mapping may look up other rows, or skip an element`() async throws {
        struct Record: Decodable, Sendable {
            var id: Int
            var title: String
        }
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(20))
            let report = try await fixture.dal.sync(
                Song.self, from: .songs, over: fixture.service, by: \.serverID,
                options: fixture.options
            ) { (record: Record, context) in
                guard record.id.isMultiple(of: 2) else { return nil }
                var song = Song(id: .unassigned)
                song.serverID = record.id
                song.title = "\(record.title), after \(try Song.count(in: context))"
                return song
            }
            #expect(report.inserted == 10)
            #expect(report.passedOver == 10)
            let titles = try await fixture.titles()
            #expect(titles[14] == "Song 14, after 5")
        }
    }

    @Test func `merging keeps data that the server does not have`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set([1: "A"])
            try await fixture.sync()
            try await fixture.dal.write { context in
                try Song.first(in: context)?.note = "mine"
            }
            fixture.server.set([1: "B"])
            let report = try await fixture.sync { $0.merging = { $0.note = $1.note } }
            #expect(report.updated == 1)
            let song = try await fixture.dal.read { try Song.first(in: $0) }
            #expect(song?.note == "mine")
            #expect(song?.title == "B")
        }
    }

    @Test func `a sync deletes only missing rows that meet the condition`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set([1: "A", 2: "B", 3: "C"])
            try await fixture.sync()
            fixture.server.set([1: "A"])
            let report = try await fixture.sync { $0.deleteMissing = .where { $0.serverID > 2 } }
            #expect(report.deleted == 1)
            let titles = try await fixture.titles()
            #expect(titles == [1: "A", 2: "B"])
        }
    }

    @Test func `a constraint fails the sync, or refuses the element alone`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.state.withLock { state in
                state.songs = [
                    1: #""title":"A","code":"x""#, 2: #""title":"B","code":"x""#,
                    3: #""title":"C""#, 4: #""titel":"secret""#,
                ]
            }
            try await fixture.dal.write { try Song.create(in: $0) { $0.serverID = 9 } }
            let error = await #expect(throws: (any Error).self) { try await fixture.sync() }
            #expect(error.map { "\($0)".contains("secret") } == false)
            let none = try await fixture.dal.read { try Song.count(in: $0) }
            #expect(none == 1)
            let report = try await fixture.sync {
                $0.onInvalidElement = .skip
                $0.deleteMissing = .all
            }
            #expect(report.inserted == 2)
            #expect(report.refused == 2)
            #expect(Set(report.refusals.map(\.code)) == ["uniqueViolation", "undecodable"])
            #expect(Set(report.refusals.map(\.element)) == [1, 3])
            #expect(report.isDeletingWithheld)
            #expect(!"\(report)".contains("secret"))
            let titles = try await fixture.titles()
            #expect(titles == [1: "A", 3: "C", 9: ""])
            // Nothing is taken for known that was not stored.
            let again = try await fixture.sync { $0.onInvalidElement = .skip }
            #expect(again.refused == 2)
        }
    }

    @Test func `a store without the entities says what to do`() async throws {
        let server = SongServer()
        let service = try server.service()
        try await withStore(.inMemory, entities: Song.self) { dal in
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.sync(Song.self, from: .songs, over: service, by: \.serverID)
            }
            #expect(error?.code == .unknownEntity)
            #expect(error?.message.contains("DataRequestEntities.all") == true)
        }
    }

    @Test func `the progress has elements, bytes and totals`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(25))
            fixture.server.state.withLock { $0.totalCount = true }
            let (stream, continuation) = AsyncStream.makeStream(of: SyncProgress.self)
            try await fixture.sync { $0.progress = { continuation.yield($0) } }
            continuation.finish()
            var seen: [SyncProgress] = []
            for await progress in stream { seen.append(progress) }
            #expect(seen.map(\.elements) == [10, 20, 25])
            #expect(seen.map(\.totalElements) == [25, 25, 25])
            #expect(seen.last.map { $0.bytes == $0.totalBytes } == true)
        }
    }

    @Test func `a second sync of the same name is refused while one is under way`() async throws {
        try await SyncFixture.run { fixture in
            fixture.server.set(SyncFixture.numbered(3))
            let (inside, entered) = AsyncStream.makeStream(of: Void.self)
            let (gate, open) = AsyncStream.makeStream(of: Void.self)
            fixture.server.state.withLock {
                $0.beforeAnswer = {
                    entered.yield()
                    for await _ in gate { break }
                }
            }
            async let first = fixture.sync()
            for await _ in inside { break }
            let error = await #expect(throws: DataRequestError.self) { try await fixture.sync() }
            #expect(error?.code == .syncUnderWay)
            open.finish()
            let report = try await first
            #expect(report.inserted == 3)
            try await fixture.sync()
        }
    }
}
#endif
