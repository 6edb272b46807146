import SkiathosLocks
import SkiathosStore
import Synchronization
import Testing

@testable import SkiathosSQLite

@Suite struct StepTests {
    private func store(_ entity: EntitySchema = Made.user()) throws -> MigrationHarness {
        let harness = try MigrationHarness()
        try harness.open([entity])
        try harness.execute(["INSERT INTO user (id, text) VALUES (1, '1'), (2, 'two'), (3, '3')"])
        return harness
    }

    /// Opens with a step, which fails, and makes sure that nothing has changed.
    private func failing(
        _ code: StoreError.Code, _ step: StoreMigration, _ entities: [EntitySchema] = [Made.user()]
    ) throws -> StoreError {
        let harness = try store()
        let before = try harness.dump()
        let error = try storeError(code) {
            _ = try harness.opener(entities, StoreOptions(migrations: [step])).open()
        }
        let after = try harness.dump()
        #expect(after == before)
        return error
    }

    @Test func `steps run once, in their order, and a new store counts them as done`() throws {
        let log = Lock<[String]>([])
        let steps = ["a", "b", "c"].map { name in
            StoreMigration(name) { _ in log.withLock { $0.append(name) } }
        }
        let harness = try store()
        try harness.open([Made.user()], [steps[1]])
        try harness.open([Made.user()], steps)
        try harness.open([Made.user()], steps)
        #expect(log.withLock { $0 } == ["b", "a", "c"])
        let new = try MigrationHarness()
        try new.open([Made.user()], steps)
        try new.open([Made.user()], steps)
        #expect(log.withLock { $0 }.count == 3)
        #expect(try new.strings("SELECT name FROM skiathos_migration") == ["a", "b", "c"])
        let memory = try StoreSource.inMemory.open(
            try StoreSchema([Made.user()]), StoreOptions(migrations: steps))
        try memory.close()
        #expect(log.withLock { $0 }.count == 3)
    }

    @Test func `two steps of one name are refused`() throws {
        let options = StoreOptions(migrations: [.init("a"), .init("a")])
        let error = try storeError(.invalidSchema) {
            _ = try StoreSource.inMemory.open(try StoreSchema([Made.user()]), options)
        }
        #expect(error.message.contains(#""a""#))
    }

    @Test func `a step sees old and new columns, and can be in plain SQL`() throws {
        let harness = try store()
        let step = StoreMigration("numbers", converts: ["user.text"]) { session in
            let changed = try session.execute(
                "UPDATE user SET skiathos_new_text = length(text) + ? WHERE id > ?",
                [.integer(10), .integer(0)])
            #expect(changed == 3)
            var seen: [String] = []
            try session.rows(
                "SELECT text AS old, skiathos_new_text AS new FROM user ORDER BY id", []
            ) { seen.append("\(try $0["old", as: String.self])\(try $0["new", as: Int.self])") }
            #expect(seen == ["111", "two13", "311"])
        }
        try harness.open([Made.user([ColumnSchema("text", Coding.of(Int.self))])], [step])
        #expect(try harness.strings("SELECT text FROM user ORDER BY id") == ["11", "13", "11"])
    }

    @Test func `rows that a conversion forgets are counted`() throws {
        let step = StoreMigration("half", converts: ["user.text"]) { session in
            _ = try session.execute("UPDATE user SET skiathos_new_text = 1 WHERE id = 1", [])
        }
        let error = try failing(
            .migrationFailed, step, [Made.user([ColumnSchema("text", Coding.of(Int.self))])])
        #expect(error.message.contains(#"2 rows of "user" were given no new "text""#))
    }

    @Test func `an error of a step rolls everything back and is thrown as it is`() throws {
        struct Mishap: Error {}
        let harness = try store()
        let before = try harness.dump()
        let step = StoreMigration("mishap") { session in
            _ = try session.execute("DELETE FROM user", [])
            throw Mishap()
        }
        #expect(throws: Mishap.self) {
            _ = try harness.opener(
                [Made.user([Made.text, Made.number])], StoreOptions(migrations: [step])
            ).open()
        }
        let after = try harness.dump()
        #expect(after == before)
        let rehearsal = try harness.opener([Made.user()], StoreOptions(migrations: [step]))
            .rehearse()
        #expect(rehearsal.failure?.code == .migrationFailed)
        #expect(rehearsal.failure?.cause?.contains("Mishap") == true)
    }

    @Test(arguments: [
        "COMMIT", " -- so\n  rollback", "/* a */;begin", "PRAGMA foreign_keys = ON", "VACUUM",
        "SAVEPOINT s",
    ])
    func `a step cannot reach beyond the transaction`(sql: String) throws {
        let step = StoreMigration("beyond") { _ = try $0.execute(sql, []) }
        #expect(try failing(.migrationFailed, step).message.contains("beyond"))
    }

    @Test func `rows that vanish without being meant to are an error`() throws {
        let step = StoreMigration("lossy") {
            _ = try $0.execute("DELETE FROM user WHERE id = 1", [])
        }
        let error = try failing(.migrationFailed, step)
        #expect(error.message.contains("2 rows after the steps, and had 3"))
        let meant = StoreMigration("meant", changes: ["user"]) {
            _ = try $0.execute("DELETE FROM user WHERE id = 1", [])
        }
        let harness = try store()
        try harness.open([Made.user()], [meant])
        #expect(try harness.strings("SELECT id FROM user") == ["2", "3"])
    }

    @Test func `references that lead to nothing are an error`() throws {
        let company = Made.column("company", Coding.of(Reference<Company>.self), default: 0)
        let step = StoreMigration("careless") { session in
            _ = try session.execute("UPDATE user SET company = 17 WHERE id < 3", [])
        }
        let error = try failing(
            .migrationFailed, step, [Made.user([Made.text, company]), Made.company()])
        #expect(error.message.contains(#"3 rows of "user" refer to rows of "company""#))
    }

    @Test func `a required reference can be filled by a step`() throws {
        let company = Made.column("company", Coding.of(Reference<Company>.self), default: 0)
        let step = StoreMigration("employ everybody", changes: ["company"]) { session in
            _ = try session.execute("INSERT INTO company VALUES (17, 'Acme')", [])
            _ = try session.execute("UPDATE user SET company = 17", [])
        }
        let harness = try store()
        try harness.open([Made.user([Made.text, company]), Made.company()], [step])
        #expect(try harness.strings("SELECT DISTINCT company FROM user") == ["17"])
    }

    @Test func `duplicates that a step leaves are counted`() throws {
        let step = StoreMigration("the same") {
            _ = try $0.execute("UPDATE user SET text = ''", [])
        }
        let error = try failing(.migrationFailed, step, [Made.user(unique: [["text"]])])
        #expect(error.message.contains(#"1 values of "text""#))
    }

    @Test func `a step may remove the violations that would refuse the opening`() throws {
        let harness = try store(Made.user([Made.optionalText]))
        try harness.execute(["INSERT INTO user VALUES (4, '1'), (5, NULL)"])
        let step = StoreMigration("tell apart", changes: ["user"]) { session in
            _ = try session.execute("DELETE FROM user WHERE text IS NULL", [])
            _ = try session.execute("UPDATE user SET text = text || id", [])
        }
        try harness.open([Made.user(unique: [["text"]])], [step])
        #expect(
            try harness.strings("SELECT text FROM user ORDER BY id") == ["11", "two2", "33", "14"])
    }

    @Test func `users' triggers that no longer fit are an error and not a trap`() throws {
        let harness = try store(Made.user([Made.text, Made.number]))
        try harness.execute([
            """
            CREATE TRIGGER mine AFTER INSERT ON user
            BEGIN UPDATE user SET text = 'x' WHERE id = new.number; END
            """
        ])
        let before = try harness.dump()
        let step = StoreMigration("no number", drops: ["user.number"])
        let error = try storeError(.migrationFailed) {
            _ = try harness.opener(
                [Made.user()], StoreOptions(migrations: [step], declaredObjects: ["mine"])
            ).open()
        }
        #expect(error.message.contains("trigger"))
        let after = try harness.dump()
        #expect(after == before)
        let careful = StoreMigration("no number", drops: ["user.number"]) {
            _ = try $0.execute("DROP TRIGGER mine", [])
        }
        try harness.open(
            harness.opener(
                [Made.user()], StoreOptions(migrations: [careful], declaredObjects: ["mine"])))
    }

    @Test func `a step may drop a table itself, if it says so`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user(searchable: ["text"]), Made.company()])
        let step = StoreMigration("no users", drops: ["user"]) {
            _ = try $0.execute("DROP TABLE user", [])
        }
        try harness.open([Made.company()], [step])
        let left = try harness.strings("SELECT name FROM sqlite_schema WHERE name LIKE '%user%'")
        #expect(left == [])
    }

    @Test func `values and parameters must be as many`() throws {
        let step = StoreMigration("too few") { _ = try $0.execute("SELECT ?, ?", [.null]) }
        #expect(try failing(.migrationFailed, step).message.contains("2 parameters"))
    }

    @Test func `a step reports its progress every few hundred rows`() throws {
        let harness = try MigrationHarness(MigrationHarness.base(.second, people: 600))
        let log = ProgressLog()
        try harness.open(harness.opener(.third, progress: log.note))
        let split = log.all.filter { $0.step == "split names" }
        #expect(split.map(\.rowsDone) == [256, 512, 600])
        #expect(split.allSatisfy { $0.rowCount == 600 && $0.table == "user" })
        #expect(
            log.all.last == .init(step: "make marks", table: "legacy", rowsDone: 2, rowCount: 2))
    }
}
