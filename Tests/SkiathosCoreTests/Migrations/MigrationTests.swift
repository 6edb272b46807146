import Skiathos
import SkiathosLocks
import SkiathosTesting
import Synchronization
import Testing

@Suite struct MigrationTests {
    private static let split = Migration(
        "split names", drops: ["reader.name"], converts: ["reader.age", "reader.rank"]
    ) { step in
        try step.transform(NewReader.self) { old, reader in
            let parts = try old["name", as: String.self].split(separator: " ")
            reader.firstname = parts.first.map(String.init) ?? ""
            reader.lastname = parts.count > 1 ? String(parts[1]) : ""
            reader.age = Int(try old["age", as: String?.self] ?? "") ?? -1
            if try old["rank", as: String.self] == "wizard" { reader.rank = .master }
        }
    }

    /// A store that the first version of the program has filled.
    private func oldStore() async throws -> TemporaryDirectory {
        let directory = try TemporaryDirectory()
        let dal = try await DataAccessLayer.open(
            .sqlite(directory.file("a.sqlite")), entities: OldReader.self)
        try await dal.write { context in
            for (name, age, rank) in [
                ("Ada Lovelace", "36", "wizard"), ("Cher", "x", "novice"), ("Bo Li", "7", "master"),
            ] {
                try OldReader.create(in: context) {
                    $0.name = name
                    $0.age = age
                    $0.rank = rank
                }
            }
        }
        try await dal.close()
        return directory
    }

    private func configuration(_ migrations: Migration...) -> Configuration {
        var configuration = Configuration()
        configuration.migrations = migrations
        return configuration
    }

    private func source(_ directory: TemporaryDirectory) -> StoreSource {
        .sqlite(directory.file("a.sqlite"))
    }

    @Test func `rows are transformed into values of today's entity`() async throws {
        let directory = try await oldStore()
        try await withStore(
            source(directory), entities: NewReader.self, configuration: configuration(Self.split)
        ) { dal in
            let readers: [NewReader] = try await dal.read {
                try NewReader.all(orderedBy: { [$0.age.descending] }, in: $0)
            }
            let expected = [
                NewReader(1, "Ada", "Lovelace", 36, .master), NewReader(3, "Bo", "Li", 7, .master),
                NewReader(2, "Cher", "", -1, .beginner),
            ]
            #expect(readers == expected)
            let id = try await dal.write { try NewReader.create(in: $0).id }
            #expect(id == 4)
        }
    }

    @Test func `a table without an entity becomes rows of a new one`() async throws {
        let directory = try await oldStore()
        let migration = Migration("to companies", drops: ["reader"]) { step in
            try step.transform(Company.self, from: "reader") { old, company in
                company.name = try old["name", as: String.self] + " Ltd"
                if company.id == 3 { company.id = .unassigned }
            }
        }
        try await withStore(
            source(directory), entities: Company.self, configuration: configuration(migration)
        ) { dal in
            let names: [String] = try await dal.read {
                try Company.all(in: $0).map { "\($0.id) \($0.name)" }.sorted()
            }
            #expect(names == ["1 Ada Lovelace Ltd", "2 Cher Ltd", "3 Bo Li Ltd"])
        }
    }

    @Test func `SQL with values of any type reads and writes`() async throws {
        let directory = try await oldStore()
        let found = Lock<[String]>([])
        let migration = Migration("plain") { step in
            let count = try step.execute(
                "UPDATE reader SET rank = ? WHERE name = ? OR ? IS NOT NULL",
                ["sage", "Cher", String?.none])
            let rows = try step.rows("SELECT rank, count(*) AS n FROM reader GROUP BY rank")
            found.withLock { found in
                found = rows.map { "\($0.values) \(count)" }
            }
            #expect(throws: StoreError.self) { try rows[0]["missing", as: Int.self] }
            #expect(throws: StoreError.self) { try rows[0]["n", as: String.self] }
        }
        try await withStore(
            source(directory), entities: OldReader.self, configuration: configuration(migration)
        ) { dal in
            let ranks: [String] = try await dal.read {
                try OldReader.all(in: $0).map(\.rank).sorted()
            }
            #expect(ranks == ["master", "sage", "wizard"])
        }
        #expect(found.withLock { $0.count } == 3)
    }

    @Test func `a plan is available before anything is done, with what it loses`() async throws {
        let directory = try await oldStore()
        let without = try await DataAccessLayer.migrationPlan(
            for: source(directory), entities: NewReader.self)
        #expect(!without.isApplicable && without.blockers.count == 3)
        #expect(
            without.blockers[2].contains(#"2 rows of "reader" (IDs: 1, 2) hold a value of "rank""#))
        let plan = try await DataAccessLayer.migrationPlan(
            for: source(directory), entities: NewReader.self,
            configuration: configuration(Self.split))
        #expect(plan.isApplicable && plan.losesData && plan.steps == ["split names"])
        #expect(plan.description.contains(#"ADD COLUMN "firstname" TEXT NOT NULL DEFAULT '?'"#))
        #expect(plan.description.contains("drop column \"name\" (data is lost)"))
        let new = try await DataAccessLayer.migrationPlan(
            for: .inMemory, entities: [NewReader.self, Company.self])
        #expect(new.createsStore && new.isApplicable && !new.losesData)
        let missing = try await DataAccessLayer.migrationPlan(
            for: .sqlite(directory.file("none.sqlite")), entities: NewReader.self)
        #expect(missing.createsStore)
    }

    @Test func `the blocking calls of migrations do the same`() throws {
        let directory = try TemporaryDirectory()
        let source = source(directory)
        try DataAccessLayer(source, entities: OldReader.self).close()
        let plan = try DataAccessLayer.migrationPlan(for: source, entities: OldReader.self)
        #expect(plan.isEmpty && plan.description.contains("is as the entities ask for"))
        let rehearsal = try DataAccessLayer.rehearseMigration(of: source, entities: OldReader.self)
        #expect(rehearsal.isSuccess)
    }

    @Test func `a rehearsal reports on a copy, and leaves the store as it is`() async throws {
        let directory = try await oldStore()
        let rehearsal = try await DataAccessLayer.rehearseMigration(
            of: source(directory), entities: NewReader.self,
            configuration: configuration(Self.split)
        )
        #expect(rehearsal.isSuccess && rehearsal.duration > .zero)
        #expect(rehearsal.tables == [.init(name: "reader", rowsBefore: 3, rowsAfter: 3)])
        #expect(rehearsal.description.contains("\"reader\": 3 rows before, 3 rows after"))
        try await withStore(source(directory), entities: OldReader.self) { dal in
            let count: Int = try await dal.read { try OldReader.count(in: $0) }
            #expect(count == 3)
            // A store in use can be rehearsed too.
            let again = try await DataAccessLayer.rehearseMigration(
                of: source(directory), entities: NewReader.self,
                configuration: configuration(Self.split))
            #expect(again.isSuccess)
        }
    }

    @Test func `mistakes in a step are reported`() async throws {
        let directory = try await oldStore()
        let mistakes: [(Migration, String)] = [
            (
                Migration("id") { step in
                    try step.transform(OldReader.self) { _, reader in reader.id = 99 }
                }, "IDs are final"
            ),
            (
                Migration("entity") { step in
                    try step.transform(NewReader.self) { _, _ in }
                }, "not among the entities"
            ),
            (
                Migration("table") { step in
                    try step.transform(OldReader.self, from: "nowhere") { _, _ in }
                }, "does not exist"
            ),
            (
                Migration("itself") { step in
                    try step.transform(OldReader.self, from: "reader") { _, _ in }
                }, "its own rows"
            ),
            (
                Migration("column") { step in
                    try step.transform(OldReader.self) { old, _ in _ = try old["x", as: Int.self] }
                }, "do not have"
            ),
        ]
        for (migration, words) in mistakes {
            let error = await #expect(throws: (any Error).self) {
                _ = try await DataAccessLayer.open(
                    source(directory), entities: OldReader.self,
                    configuration: configuration(migration))
            }
            #expect("\(String(describing: error))".contains(words))
        }
        try await withStore(source(directory), entities: OldReader.self) { dal in
            let count: Int = try await dal.read { try OldReader.count(in: $0) }
            #expect(count == 3)
        }
    }

    @Test func `a context that has left its step is refused`() async throws {
        let directory = try await oldStore()
        let leak = Leak()
        let migration = Migration("leak") { step in leak.context = step }
        try await withStore(
            source(directory), entities: OldReader.self, configuration: configuration(migration)
        ) { _ in }
        let error = #expect(throws: DataAccessError.self) { try leak.context?.execute("SELECT 1") }
        #expect(error?.code == .contextEnded)
    }
}

/// Where a test keeps what it should not.
private final class Leak: @unchecked Sendable {
    // Sendable: the step has ended, and what it did is visible, before the test looks.
    var context: MigrationContext?
}

extension NewReader {
    fileprivate init(
        _ id: NewReader.ID, _ firstname: String, _ lastname: String, _ age: Int, _ rank: Rank
    ) {
        self.init(id: id)
        self.firstname = firstname
        self.lastname = lastname
        self.age = age
        self.rank = rank
    }
}
