#if Macros
import Foundation
import Skiathos
import TestSupport
import Testing

/// Rows below and above a row along a reference to its own entity.
struct DescentTests {
    @Test(arguments: Seed.each(1, 2, 3, 4), [Place.file, .memory])
    func `descendants and ancestors in random forests, with cycles, are what a walk finds`(
        _ seed: UInt64, _ place: Place
    ) async throws {
        try await withSeed(seed) {
            try await Library.with(place) { dal in
                try await dal.write { try Self.fill($0, seed) }
                try await dal.read { try Self.check($0) }
            }
        }
    }

    private static func fill(_ context: WriteContext, _ seed: UInt64) throws {
        var generator = SeededNumbers(seed: seed)
        let artists = try (0..<30).map { number in
            try Artist.create(in: context) { $0.name = "\(number)" }
        }
        for artist in artists where Int.random(in: 0..<5, using: &generator) > 0 {
            artist.teacher = artists.randomElement(using: &generator)?.id
        }
    }

    private static func check(_ context: ReadContext) throws {
        let artists = try Artist.all(in: context)
        let teachers = Dictionary(
            uniqueKeysWithValues: artists.map { ($0.id, $0.teacher) })
        /// The rows above one, nearest first.
        func above(_ id: Artist.ID) -> Set<Artist.ID> {
            var found: Set<Artist.ID> = []
            var next = teachers[id] ?? nil
            while let teacher = next, found.insert(teacher).inserted {
                next = teachers[teacher] ?? nil
            }
            return found
        }
        for artist in artists {
            let ancestors = try Artist.ancestors(of: artist.id, along: \.teacher).all(in: context)
            #expect(Set(ancestors.map(\.id)) == above(artist.id))
            let descendants = try Artist.descendants(of: artist.id, along: \.teacher)
                .all(in: context)
            #expect(
                Set(descendants.map(\.id))
                    == Set(artists.map(\.id).filter { above($0).contains(artist.id) }))
        }
        let some = artists.prefix(3).map(\.id)
        let below = try Artist.all(
            where: { $0.teacher.descends(from: some) && !$0.teacher.isAbove(some) }, in: context)
        #expect(
            Set(below.map(\.id))
                == Set(
                    artists.map(\.id).filter { id in
                        some.contains { above(id).contains($0) }
                            && !some.contains { above($0).contains(id) }
                    }))
    }

    @Test func `albums are found by the descent of their artists`() async throws {
        try await Library.with(.memory) { dal in
            try await dal.write { context in
                let old = try Artist.create(in: context) { $0.name = "old" }
                let young = try Artist.create(in: context) {
                    $0.name = "young"
                    $0.teacher = old.id
                }
                try Album.create(in: context) {
                    $0.title = "first"
                    $0.artist = young.id
                }
                let found = try Album.all(
                    where: { $0.artist.matches { $0.teacher.descends(from: old.id) } },
                    in: context)
                #expect(found.map(\.title) == ["first"])
                let none = try Artist.count(
                    where: { $0.teacher.descends(from: []) }, in: context)
                #expect(none == 0)
            }
        }
    }
}
#endif
