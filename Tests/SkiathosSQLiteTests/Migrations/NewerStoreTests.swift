import SkiathosStore
import Testing

@testable import SkiathosSQLite

@Suite struct NewerStoreTests {
    @Test func `an older program does not touch what a newer one has changed`() throws {
        let harness = try MigrationHarness(MigrationHarness.base(.first))
        for newer in [Generation.second, .third] {
            try harness.open(newer)
            let bytes = try harness.directory.bytes()
            for older in Generation.allCases where older.rawValue < newer.rawValue {
                for isReadOnly in [false, true] {
                    _ = try storeError(.newerStore) {
                        _ = try harness.opener(older, isReadOnly: isReadOnly).open()
                    }
                }
                let plan = try harness.opener(older).plan()
                #expect(plan.isNewerStore && !plan.isApplicable)
            }
            #expect(try harness.directory.bytes() == bytes)
        }
    }

    @Test func `tables of a newer version are detected without any step`() throws {
        let harness = try MigrationHarness()
        let (old, new) = (Made.user(), Made.user([Made.text, Made.number]))
        try harness.open([old])
        try harness.open([new])
        let error = try storeError(.newerStore) { _ = try harness.opener([old]).open() }
        #expect(error.message.contains("newer version of the program"))
        try harness.open([new])
        // Going back on purpose takes a step.
        try harness.open([old], [StoreMigration("no number", drops: ["user.number"])])
    }

    @Test func `an unknown step is named`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user()], [StoreMigration("a"), StoreMigration("b")])
        let error = try storeError(.newerStore) {
            _ = try harness.opener([Made.user()], StoreOptions(migrations: [.init("a")])).open()
        }
        #expect(error.message.contains(#""b""#))
    }

    @Test func `a program with other entities from the beginning is no older one`() throws {
        let harness = try MigrationHarness()
        try harness.open([Made.user()])
        _ = try storeError(.schemaMismatch) { _ = try harness.opener([Made.company()]).open() }
    }
}
