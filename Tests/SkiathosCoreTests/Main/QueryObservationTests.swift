import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Observed queries are notified of all changes that can affect their rows.
@Suite(.generousTimeLimit) struct QueryObservationTests {
    @Test func `a query is observed as it stands`() async throws {
        try await withStore { dal in
            let adults = User.where { $0.age >= 18 }.order { $0.age.descending }
            var iterator = dal.observe(adults).makeAsyncIterator()
            #expect(try await iterator.next() == [])
            let user: User = try await dal.write { context in
                try User.create(in: context) {
                    $0.lastname = "a"
                    $0.age = 30
                }.value
            }
            #expect(try await iterator.next() == [user])
        }
    }

    @Test func `a condition on a related row is observed through that row`() async throws {
        try await withStore { dal in
            let company: Company.ID = try await dal.write { context in
                let company = try Company.create(in: context) { $0.name = "Old" }
                try User.create(in: context) { $0.company = company.id }
                return company.id
            }
            var users = dal.observe { context in
                try User.count(where: { $0.company.name == "New" }, in: context)
            }.makeAsyncIterator()
            var names = dal.observe { context in
                try User.select { $0.company.name }.all(in: context)
            }.makeAsyncIterator()
            #expect(try await users.next() == 0)
            #expect(try await names.next() == ["Old"])
            try await dal.write { try Company.find(company, in: $0)?.name = "New" }
            #expect(try await users.next() == 1)
            #expect(try await names.next() == ["New"])
        }
    }

    @Test func `observers are notified of a restored store`() async throws {
        let directory = try TemporaryDirectory()
        try await withStore { dal in
            try await dal.write { context in try User.create(in: context) { $0.lastname = "kept" } }
            try await dal.backUp(to: directory.file("copy.sqlite"))
            try await dal.write { try User.deleteAll(in: $0) }
            var counts = dal.observe { try User.count(in: $0) }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            try await dal.restore(from: directory.file("copy.sqlite"))
            #expect(try await counts.next() == 1)
        }
        withExtendedLifetime(directory) {}
    }
}
