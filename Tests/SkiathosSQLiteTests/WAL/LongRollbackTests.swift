import Foundation
import SkiathosSQLite
import SkiathosStore
import Testing

/// A write that is rolled back after it has left memory harms no other write of its commit.
@Suite struct LongRollbackTests {
    @Test(arguments: [10, 300, 900])
    func `commits of a store survive its process after a long write was rolled back`(
        changed: Int
    ) throws {
        let directory = try TemporaryDirectory()
        let store = try directory.open()
        try store.writer.withSession { session in
            try session.execute("PRAGMA cache_size = 8")
            try session.begin()
            try session.execute("INSERT INTO company (id, name) VALUES (1, 'before')")
            try session.openSavepoint()
            try session.execute(
                """
                WITH RECURSIVE number(n) AS (VALUES (2) UNION ALL SELECT n + 1 FROM number WHERE n < 1000)
                INSERT INTO company (id, name) SELECT n, n || hex(zeroblob(900)) FROM number
                """)
            try session.execute(
                "UPDATE company SET name = 'x' || name WHERE id BETWEEN \(changed) AND \(changed + 9)"
            )
            try session.rollbackSavepoint()
            try session.execute("INSERT INTO company (id, name) VALUES (2, 'after')")
            try session.commit()
        }
        try store.insert(Company.self, [3, "later"])
        let rows = try store.all(Company.self)
        #expect(rows.count == 3)

        let copy = try TemporaryDirectory()
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: directory.file() + suffix, toPath: copy.file() + suffix)
        }
        let recovered = try copy.open()
        #expect(try recovered.all(Company.self) == rows)
        #expect(try recovered.anyReader.read { try $0.integrityProblems() } == [])
        try recovered.close()
        try store.close()
    }
}
