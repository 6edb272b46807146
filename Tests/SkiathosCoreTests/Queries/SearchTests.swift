#if Macros
import Skiathos
import SkiathosTesting
import Testing

/// Full-text search finds words, and follows every change.
struct SearchTests {
    private func withSongs(_ body: @Sendable (DataAccessLayer) async throws -> Void) async throws {
        try await Library.with(.memory) { dal in
            try await dal.reset()
            try await dal.write { context in
                let album = try Album.create(in: context)
                let songs = [
                    ("Love me do", "Lennon"), ("All you need is love", nil),
                    ("Lovely Rita", "McCartney"),
                    ("Crème brûlée — the song", "Zoë"), ("Rock-n-roll (music)", "Berry"),
                    ("\"quoted\" AND NOT OR *", "Nobody"),
                ]
                for (name, composer) in songs {
                    try Track.create(in: context) {
                        $0.name = name
                        $0.composer = composer
                        $0.album = album.id
                    }
                }
            }
            try await body(dal)
        }
    }

    @Test(arguments: [
        ("love", SearchTerms.Matching.allWords, 2), ("LOVE me", .allWords, 1),
        ("lov", .prefixes, 3), ("lov ri", .prefixes, 1), ("creme BRULEE", .allWords, 1),
        ("zoe", .allWords, 1), ("need love", .phrase, 0), ("is love", .phrase, 1),
        ("rita berry", .anyWord, 2), ("rock n roll", .phrase, 1), ("rock-n-roll", .allWords, 1),
        ("\" AND (*", .allWords, 1), ("*", .allWords, 0), ("", .anyWord, 0),
        ("NEAR(", .allWords, 0),
        ("name:love", .allWords, 0), ("quoted* OR", .allWords, 1),
    ])
    func `words are found whatever a user types`(
        _ text: String, _ matching: SearchTerms.Matching, _ count: Int
    ) async throws {
        try await withSongs { dal in
            let found: (Int, Int) = try await dal.read { context in
                (
                    try Track.query.matching(text, matching).count(in: context),
                    try Track.search(text, matching, in: context).count
                )
            }
            #expect(found.0 == count)
            #expect(found.1 == count)
        }
    }

    @Test func `results come with the best first and what was found marked`() async throws {
        try await withSongs { dal in
            let results: [SearchResult<Track>] = try await dal.read {
                try Track.search("lov", .prefixes, marks: ("<b>", "</b>"), in: $0)
            }
            #expect(results.map(\.rank) == results.map(\.rank).sorted())
            let texts = Set(results.compactMap { $0.highlights["name"] })
            #expect(
                texts == [
                    "<b>Love</b> me do", "All you need is <b>love</b>", "<b>Lovely</b> Rita",
                ])
            let none = results.filter { $0.value.composer == nil }
            #expect(none.map { $0.highlights["composer"] } == [nil])
            let limited: [SearchResult<Track>] = try await dal.read {
                try Track.where { $0.composer != nil }.search("lov", .prefixes, limit: 1, in: $0)
            }
            #expect(limited.count == 1)
        }
    }

    @Test func `a search inside a write sees what it has changed`() async throws {
        try await withSongs { dal in
            try await dal.write { context in
                let track = try #require(try Track.query.matching("rita").first(in: context))
                track.name = "Eleanor"
                #expect(try Track.query.matching("rita").count(in: context) == 0)
                #expect(try Track.search("eleanor", in: context).map(\.value.id) == [track.id])
                try Track.where { $0.name == "Eleanor" }.deleteAll(in: context)
                #expect(try Track.query.matching("eleanor").exists(in: context) == false)
            }
        }
    }

    @Test func `relationships of what a search has found are loaded at once`() async throws {
        try await Library.with { dal in
            let use = try await dal.countingQueries { context in
                let results = try Track.search("song", in: context)
                #expect(results.count > 20)
                for result in results {
                    let album = try result.value.related(\.album, in: context)
                    #expect(try album?.related(\.artist, in: context) != nil)
                }
            }
            #expect(use.statements == 3)
            let prefetching = try await dal.countingQueries { context in
                let query = Track.query.prefetching(\.album)
                let results = try query.search("song", limit: 5, in: context)
                try context.withBudget(QueryBudget(statements: 0)) {
                    _ = try results.map { try $0.value.related(\.album, in: context) }
                }
            }
            #expect(prefetching.statements == 2)
        }
    }

    @Test func `related rows can be searched`() async throws {
        try await withSongs { dal in
            let albums = try await dal.read {
                try Album.count(where: { $0.tracks.exists { _ in .matching("brulee") } }, in: $0)
            }
            #expect(albums == 1)
        }
    }

    @Test func `a search where nothing is searchable fails with that reason`() async throws {
        try await withSongs { dal in
            let error = await #expect(throws: StoreError.self) {
                _ = try await dal.read { try Album.query.matching("x").count(in: $0) }
            }
            #expect(error?.code == .invalidRequest)
            #expect(error?.message.contains("@Searchable") == true)
            let sorted = await #expect(throws: DataAccessError.self) {
                _ = try await dal.read {
                    try Track.order { $0.name.ascending }.search("x", in: $0).count
                }
            }
            #expect(sorted?.code == .invalidRequest)
        }
    }
}
#endif
