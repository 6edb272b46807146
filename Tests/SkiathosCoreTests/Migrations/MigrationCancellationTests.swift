import Foundation
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// A task that opens a store, and is cancelled while the store is migrated.
@Suite(.generousTimeLimit) struct MigrationCancellationTests {
    enum Operation: CaseIterable { case open, rehearse }

    @Test(arguments: Operation.allCases)
    func `cancelling ends a long statement of a step and rolls the migration back`(
        _ operation: Operation
    ) async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("users.sqlite")
        try await DataAccessLayer.open(.sqlite(path), entities: Company.self, User.self).close()
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        let begun = Event()
        var configuration = Configuration()
        configuration.migrations = [
            Migration("endless") { step in
                try step.execute("UPDATE company SET name = 'changed'")
                begun.happen()
                // Ends only when it is cancelled.
                _ = try step.rows(
                    """
                    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
                    SELECT count(*) FROM n
                    """)
            }
        ]
        let opening = Task { [configuration] in
            switch operation {
            case .open:
                _ = try await DataAccessLayer.open(
                    .sqlite(path), entities: Company.self, User.self,
                    configuration: configuration)
            case .rehearse:
                _ = try await DataAccessLayer.rehearseMigration(
                    of: .sqlite(path), entities: Company.self, User.self,
                    configuration: configuration)
            }
        }
        await begun.wait()
        opening.cancel()
        await #expect(throws: CancellationError.self) { try await opening.value }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
        try await DataAccessLayer.open(.sqlite(path), entities: Company.self, User.self).close()
    }
}
