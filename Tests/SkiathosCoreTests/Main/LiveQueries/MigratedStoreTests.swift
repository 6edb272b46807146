import Skiathos
import SkiathosStore
import SkiathosTesting
import TestSupport
import Testing

@testable import SkiathosCore

/// The version of a letter that a reading process knows.
private struct Letter: Sendable {
    var id: EntityID<Letter> = .unassigned
    var title = ""
}

extension Letter: TableEntity {
    init(id: Letter.ID) { self.id = id }

    static let table = EntityTable("letter", id: \Letter.id) { EntityColumn("title", \.title) }
}

/// The version of a letter that a newer process writes.
private struct LaterLetter: Sendable {
    var id: EntityID<LaterLetter> = .unassigned
    var heading = ""
}

extension LaterLetter: TableEntity {
    init(id: LaterLetter.ID) { self.id = id }

    static let table = EntityTable("letter", id: \LaterLetter.id) {
        EntityColumn("heading", \.heading, .renamed(from: "title"))
    }
}

/// Observers of a store that is open for reading only while another process migrates it.
@Suite(.generousTimeLimit) struct MigratedStoreTests {
    @Test func `observers of a migrated store end with the error of its reads`() async throws {
        let directory = try TemporaryDirectory()
        let source = StoreSource.sqlite(directory.file("letters.sqlite"))
        let writer = try await DataAccessLayer.open(source, entities: Letter.self)
        try await writer.write { context in
            try Letter.create(in: context) { $0.title = "first" }
        }
        try await writer.close()
        var configuration = Configuration()
        configuration.isReadOnly = true
        configuration.commitWatchInterval = .milliseconds(5)
        let reader = try await DataAccessLayer.open(
            source, entities: Letter.self, configuration: configuration)
        var lists = (0..<2).map { _ in reader.observe(Letter.order { $0.title }).makeAsyncIterator()
        }
        var counts = reader.observe { try Letter.count(in: $0) }.makeAsyncIterator()
        for index in lists.indices {
            #expect(try await lists[index].next()?.map(\.title) == ["first"])
        }
        #expect(try await counts.next() == 1)

        let later = try await DataAccessLayer.open(source, entities: LaterLetter.self)
        try await later.write { context in
            try LaterLetter.create(in: context) { $0.heading = "second" }
        }
        try await later.close()
        for index in lists.indices {
            await expectNewerStore { _ = try await lists[index].next() }
            #expect(try await lists[index].next() == nil)
        }
        await expectNewerStore { _ = try await counts.next() }
        #expect(try await counts.next() == nil)
        for _ in 1...2 {
            await expectNewerStore { _ = try await reader.read { try Letter.all(in: $0) } }
        }
        var late = reader.observe(Letter.order { $0.title }).makeAsyncIterator()
        await expectNewerStore { _ = try await late.next() }
        try await reader.close()
    }

    private func expectNewerStore(_ body: () async throws -> Void) async {
        do {
            try await body()
            Issue.record("Nothing was thrown.")
        } catch {
            #expect((error as? StoreError)?.code == .newerStore, "\(error)")
        }
    }
}
