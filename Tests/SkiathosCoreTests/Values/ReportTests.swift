import Skiathos
import SkiathosCore
import Testing

/// What a program gets from the store can be made by its own tests.
@Suite struct ReportTests {
    @Test func `reports of writes are made with what they hold`() {
        let report = UpsertReport<User>(inserted: [1, 2], updated: [3])
        #expect(report.inserted == [1, 2])
        #expect(report.updated == [3])
        #expect(report.unchanged == [])
        let found = LookupResult<String, Int>(found: ["a"], missing: [7])
        #expect(found.found == ["a"])
        #expect(found.missing == [7])
    }

    @Test func `changes are made with the names of columns`() {
        let changes = EntityChanges<User>(
            inserted: [1], updated: [.init(id: 2, columns: ["age", "firstname"])], deleted: [3],
            isComplete: false)
        #expect(changes.updated.first?.columns == ["firstname", "age"])
        #expect(changes.inserted == [1])
        #expect(changes.deleted == [3])
        #expect(!changes.isComplete)
        #expect(EntityChanges<User>().isComplete)
        #expect(EntityChanges<User>().store == Configuration().label)
        #expect(EntityChanges<User>(store: "archive") != EntityChanges<User>())
    }

    @Test func `results of queries are made with what they hold`() {
        let page = Page(elements: [1, 2], next: PageToken(rawValue: "next"))
        #expect(page.elements == [1, 2])
        #expect(page.next?.rawValue == "next")
        #expect(page.previous == nil)
        let result = SearchResult(value: User(id: 1), rank: -2, highlights: ["name": "[A]da"])
        #expect(result.value.id == 1)
        #expect(result.rank == -2)
        #expect(result.highlights == ["name": "[A]da"])
    }

    @Test func `a shutdown that never was can be reported`() {
        var report = ShutdownReport()
        #expect(!report.isComplete)
        report.isClosed = true
        #expect(report.isComplete)
    }

    @Test func `requirements of an entity are tested without a store`() {
        var validation = Validation<Note>()
        var note = Note(id: .unassigned)
        note.rating = 9
        note.validate(&validation)
        #expect(validation.failures.map(\.properties) == [["rating"]])
        #expect(validation.failures.map(\.message) == ["must lie between 0 and 5"])
        var fine = Validation<Note>()
        Note(id: .unassigned).validate(&fine)
        #expect(fine.failures.isEmpty)
    }
}
