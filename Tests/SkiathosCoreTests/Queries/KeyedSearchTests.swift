#if Macros
import Foundation
import Skiathos
import SkiathosTesting
import Testing

@Entity(id: UUID.self) struct Recipe: Equatable {
    @Unique var slug = ""
    @Searchable var title = ""
    @Searchable var text: String?
}

@Entity(id: String.self) struct Ingredient {
    @Searchable var name = ""
    var recipe: Recipe.ID?
}

/// Full-text search of entities whose IDs are UUIDs and texts.
struct KeyedSearchTests {
    private func with(
        _ place: Place, _ body: @Sendable (DataAccessLayer, TemporaryDirectory) async throws -> Void
    ) async throws {
        let directory = try TemporaryDirectory()
        let source = place == .memory ? StoreSource.inMemory : .sqlite(directory.file("r.sqlite"))
        try await withStore(source, entities: [Recipe.self, Ingredient.self]) { dal in
            try await dal.write { context in
                let soup = try Recipe.create(in: context) {
                    $0.slug = "soup"
                    $0.title = "Crème of leek"
                    $0.text = "Boil the leek."
                }
                try Recipe.create(in: context) {
                    $0.slug = "pie"
                    $0.title = "Apple pie"
                }
                try Ingredient.create(id: "leek", in: context) {
                    $0.name = "Leek"
                    $0.recipe = soup.id
                }
            }
            try await body(dal, directory)
        }
    }

    @Test(arguments: [Place.file, .memory])
    func `rows are found by their words and come with what was found`(_ place: Place) async throws {
        try await with(place) { dal, _ in
            try await dal.read { context in
                let found = try Recipe.search("creme", in: context)
                #expect(found.map(\.value.slug) == ["soup"])
                #expect(found.first?.highlights["title"] == "[Crème] of leek")
                #expect(try Recipe.query.matching("pie").count(in: context) == 1)
                #expect(try Ingredient.search("LEEK", in: context).map(\.value.name) == ["Leek"])
                let named = try Ingredient.count(
                    where: { $0.recipe.matches { _ in .matching("boil") } }, in: context)
                #expect(named == 1)
            }
        }
    }

    @Test(arguments: [Place.file, .memory])
    func `words follow upserts, sets of changes and a write that fails`(
        _ place: Place
    ) async throws {
        try await with(place) { dal, _ in
            try await dal.write { context in
                let report = try Recipe.upsert(
                    [
                        Recipe(slug: "soup", title: "Onion soup"),
                        Recipe(slug: "tart", title: "Onion tart"),
                    ], by: \.slug, in: context)
                #expect(report.inserted.count == 1 && report.updated.count == 1)
                #expect(try Recipe.query.matching("onion").count(in: context) == 2)
                #expect(try Recipe.query.matching("leek").count(in: context) == 0)
            }
            struct Stop: Error {}
            await #expect(throws: Stop.self) {
                try await dal.write { context in
                    try Recipe.update(set: { [$0.title.set(to: "Nothing")] }, in: context)
                    #expect(try Recipe.query.matching("nothing").count(in: context) == 3)
                    throw Stop()
                }
            }
            try await dal.write { context in
                #expect(try Recipe.query.matching("nothing").exists(in: context) == false)
                try Recipe.where { $0.slug != "tart" }
                    .update(set: { [$0.title.set(to: "Sold out")] }, in: context)
                try Recipe.query.matching("onion").deleteAll(in: context)
                #expect(try Recipe.query.matching("sold").count(in: context) == 2)
                #expect(try Recipe.count(in: context) == 2)
            }
        }
    }

    @Test func `a backup and a restored store find the same words`() async throws {
        try await with(.file) { dal, directory in
            let path = directory.file("copy.sqlite")
            try await dal.backUp(to: path)
            let copy = try await DataAccessLayer.open(
                .sqlite(path), entities: Recipe.self, Ingredient.self)
            let (found, problems) = (
                try await copy.read { try Recipe.query.matching("leek").count(in: $0) },
                try await copy.integrityProblems()
            )
            #expect(found == 1 && problems == [])
            try await copy.close()
            try await dal.write { try Recipe.deleteAll(in: $0) }
            try await dal.restore(from: path)
            let restored = try await dal.read { try Recipe.search("leek", in: $0).count }
            #expect(restored == 1)
            #expect(try await dal.integrityProblems() == [])
        }
    }
}
#endif
