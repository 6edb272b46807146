import PersistenceService
import Skiathos
import SkiathosStore
import Testing

/// What a program gets from a service can be made by its own tests.
@Suite struct ResultTests {
    @Test func `a result of creating many has the values it is made with`() {
        let created = Created(values: ["a"], refused: [RefusedSource(index: 1, reason: "empty")])
        #expect(created.values == ["a"])
        #expect(created.refused == [RefusedSource(index: 1, reason: "empty")])
        #expect(RefusedSource(index: 0).reason == nil)
    }

    @Test func `a test of a policy can make a conflict`() throws {
        let policy: @Sendable (Conflict) -> MergePolicy.Resolution = {
            $0.column == "name" ? .mine : .theirs
        }
        let conflict = try Conflict(
            .bothChanged, of: Author.self, id: 7, column: "name", base: .text("Ada"),
            mine: .text("Ann"), theirs: .text("Eve"))
        #expect(policy(conflict) == .mine)
        #expect(conflict.entity == "Author")
        #expect(try conflict.id(of: Author.self) == 7)
        #expect(try conflict.id(of: Book.self) == nil)
        let rows = try conflict.values(of: Author.self)
        #expect(rows != nil)
        #expect(rows?.base == nil)
        #expect(try policy(Conflict(.deletedThere, of: Author.self, id: 7)) == .theirs)
    }
}
