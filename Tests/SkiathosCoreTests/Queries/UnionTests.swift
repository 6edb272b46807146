#if Macros
import Foundation
import Skiathos
import Testing

/// Queries and selections that are put together.
struct UnionTests {
    private func oldest(_ count: Int) -> Query<Track> {
        Track.order { $0.seconds.descending }.limit(count)
    }

    private func dearest(_ count: Int) -> Query<Track> {
        Track.order { $0.price.descending }.limit(count)
    }

    @Test(arguments: [Place.file, .memory])
    func `a union has the rows of both queries once, in its own order and number`(
        _ place: Place
    ) async throws {
        try await Library.with(place) { dal in
            try await dal.read { context in
                let (long, dear) = (try oldest(4).ids(in: context), try dearest(4).ids(in: context))
                let union = oldest(4).union(dearest(4))
                let all = try union.order { $0.name.ascending }.all(in: context)
                #expect(Set(all.map(\.id)) == Set(long).union(dear))
                #expect(all.map(\.name) == all.map(\.name).sorted())
                #expect(try union.count(in: context) == all.count)
                let some = try union.order { $0.name.ascending }.limit(2).offset(1).all(in: context)
                #expect(some.map(\.id) == all.dropFirst().prefix(2).map(\.id))
                let both = try oldest(4).intersection(dearest(4)).ids(in: context)
                #expect(Set(both) == Set(long).intersection(dear))
                let rest = try oldest(4).subtracting(dearest(4)).ids(in: context)
                #expect(Set(rest) == Set(long).subtracting(dear))
            }
        }
    }

    @Test func `a union is changed and deleted like any query`() async throws {
        try await Library.with(.memory) { dal in
            let before = try await dal.read { try Track.count(in: $0) }
            let (changed, deleted) = try await dal.write { context in
                let union = oldest(2).union(dearest(2))
                let ids = try union.ids(in: context)
                let changed = try union.update(set: { [$0.name.set(to: "chosen")] }, in: context)
                #expect(changed == ids.count)
                let deleted = try Track.query.subtracting(oldest(3)).deleteAll(in: context)
                return (changed, deleted)
            }
            #expect(changed > 0 && deleted == before - 3)
            #expect(try await dal.read { try Track.count(in: $0) } == 3)
        }
    }

    @Test func `a negative limit of a part is an error`() async throws {
        try await Library.with(.memory) { dal in
            let error = await #expect(throws: DataAccessError.self) {
                try await dal.read { try oldest(1).union(oldest(-1)).all(in: $0) }
            }
            #expect(error?.code == .invalidRequest)
        }
    }

    @Test(arguments: [Place.file, .memory])
    func `selections of several entities are joined, sorted and limited as one`(
        _ place: Place
    ) async throws {
        try await Library.with(place) { dal in
            try await dal.read { context in
                let (artists, albums) = (
                    try Artist.all(in: context).map(\.name), try Album.all(in: context).map(\.title)
                )
                let names = Artist.select { $0.name }.union(Album.select { $0.title })
                let found = try names.order { $0.ascending }.all(in: context)
                #expect(
                    found.map { Array($0.utf8) }
                        == Set(artists + albums).map { Array($0.utf8) }
                        .sorted { $0.lexicographicallyPrecedes($1) })
                let all = Artist.select { $0.name }.unionAll(Album.select { $0.title })
                #expect(try all.all(in: context).count == artists.count + albums.count)
                let twice = try all.union(Artist.select { $0.name }).all(in: context)
                #expect(twice.count == found.count)
                let more = try names.unionAll(Artist.select { $0.name }).all(in: context)
                #expect(more.count == found.count + artists.count)
                let second = try names.order { $0.descending }.limit(1).offset(1).all(in: context)
                #expect(second == [found[found.count - 2]])
                #expect(try names.order { $0.descending }.first(in: context) == found.last)
            }
        }
    }

    @Test func `parts have conditions, limits and maps of their own`() async throws {
        try await Library.with(.memory) { dal in
            try await dal.read { context in
                let tracks = oldest(2).select { ($0.name, $0.seconds) }
                let others = dearest(1).select { ($0.name, $0.seconds) }
                let union = tracks.unionAll(others).order { _, seconds in [seconds.descending] }
                let rows = try union.map { "\($0.0) \($0.1)" }.all(in: context)
                #expect(rows.count == 3)
                let marked = Artist.select { $0.name }.map { "artist \($0)" }
                    .unionAll(Album.select { $0.title }.map { "album \($0)" })
                let words = try marked.all(in: context).map { $0.split(separator: " ")[0] }
                #expect(words.count { $0 == "artist" } == (try Artist.count(in: context)))
                #expect(words.count { $0 == "album" } == (try Album.count(in: context)))
            }
        }
    }

    @Test func `a union that cannot be joined or sorted is refused`() async throws {
        try await Library.with(.memory) { dal in
            let names = Artist.select { $0.name }
            let mapped = Album.select { ($0.title, $0.id) }.map { $0.0 }
            let kinds = try await #require(throws: StoreError.self) {
                try await dal.read { try names.union(mapped).all(in: $0) }
            }
            #expect(kinds.code == .invalidRequest)
            let sorted = try await #require(throws: DataAccessError.self) {
                try await dal.read {
                    try names.union(names.map { $0 }).order { $0.ascending }.all(in: $0)
                }
            }
            #expect(sorted.message.contains("map the union"))
            let late = try await #require(throws: DataAccessError.self) {
                try await dal.read { try names.union(names).limit(1).union(names).all(in: $0) }
            }
            #expect(late.message.contains("last"))
            let negative = try await #require(throws: DataAccessError.self) {
                try await dal.read { try names.union(names).limit(-1).all(in: $0) }
            }
            #expect(negative.message.contains("negative"))
        }
    }

    @Test func `an observed union follows the entities of all its parts`() async throws {
        try await Library.with(.memory) { dal in
            let union = Artist.select { $0.name }.unionAll(Album.select { $0.title })
            var counts = dal.observe { try union.all(in: $0).count }.makeAsyncIterator()
            let first = try #require(try await counts.next())
            try await dal.write { _ = try Album.create(in: $0) { $0.title = "New" } }
            #expect(try await counts.next() == first + 1)
            try await dal.write { _ = try Artist.create(in: $0) { $0.name = "New" } }
            #expect(try await counts.next() == first + 2)
        }
    }

    @Test func `a union inside a write sees its changes`() async throws {
        try await Library.with(.memory) { dal in
            try await dal.write { context in
                try Artist.create(in: context) { $0.name = "Zzz" }
                let last = try Artist.select { $0.name }.union(Album.select { $0.title })
                    .order { $0.descending }.first(in: context)
                #expect(last == "Zzz")
            }
        }
    }
}
#endif
