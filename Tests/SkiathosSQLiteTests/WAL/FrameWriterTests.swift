import Foundation
import ReliabilityKit
import TestSupport
import TestTools
import Testing

/// Frames are written together, and a commit is whole when it returns.
@Suite struct FrameWriterTests {
    @Test func `a small commit takes one write`() throws {
        try withVolume { volume, path in
            let writer = try JoiningConnection(path)
            defer { writer.close() }
            try writer.run("INSERT INTO item VALUES (1, 'first')")
            let before = volume.count(.write, .wal)
            for id in 2...11 {
                try writer.run(
                    "INSERT INTO item VALUES (\(id), '\(String(repeating: "x", count: 900))')")
            }
            #expect(volume.count(.write, .wal) - before == 10)
            #expect(try Self.rows(path).count == 11)
        }
    }

    @Test func `a long commit takes a write for every sixteen frames`() throws {
        try withVolume { volume, path in
            let writer = try JoiningConnection(path)
            defer { writer.close() }
            try writer.run("INSERT INTO item VALUES (1, 'first')")
            let (writes, size) = (volume.count(.write, .wal), try Self.size(path + "-wal"))
            try writer.run("PRAGMA cache_size = 2000")
            try writer.run("BEGIN")
            for id in 2...200 {
                try writer.run(
                    "INSERT INTO item VALUES (\(id), '\(String(repeating: "x", count: 900))')")
            }
            try writer.run("COMMIT")
            let frames =
                (try Self.size(path + "-wal") - size) / (24 + JoiningConnection.pageSize)
            #expect(frames > 200)
            #expect(volume.count(.write, .wal) - writes <= frames / 16 + 1)
        }
    }

    /// SQLite 3.40 alone fails here: see the comment on frames without checksums in `FrameWriter.c`.
    @Test(.seeded, arguments: 0..<Rounds.of(40, least: 10))
    func `random transactions are whole for every connection and after the end of the process`(
        round: Int
    ) throws {
        try withVolume { volume, path in
            var run = try FrameWriterRun(volume, path, seed: Seed.current)
            defer { run.close() }
            for _ in 0..<150 { try run.step() }
        }
    }

    /// SQLite goes on with the checksum before the frame that was written twice, where the commit has not come.
    @Test(arguments: [10, 20, 40, 60])
    func `commits survive the end of the process after a savepoint with pages written twice`(
        changed: Int
    ) throws {
        try withVolume { _, path in
            let writer = try JoiningConnection(path)
            defer { writer.close() }
            try writer.run("CREATE TABLE log (id INTEGER PRIMARY KEY, text TEXT NOT NULL)")
            try writer.run("BEGIN")
            try writer.run("INSERT INTO item VALUES (1, 'before')")
            try writer.run("SAVEPOINT change")
            let text = String(repeating: "x", count: 900)
            for id in 1...80 { try writer.run("INSERT INTO log VALUES (\(id), '\(text)')") }
            for id in changed...(changed + 9) {
                try writer.run("UPDATE log SET text = 'y' || text WHERE id = \(id)")
            }
            try writer.run("ROLLBACK TO change")
            try writer.run("INSERT INTO item VALUES (2, 'after')")
            try writer.run("COMMIT")
            try writer.run("INSERT INTO item VALUES (3, 'later')")
            #expect(try writer.rows() == [1: "before", 2: "after", 3: "later"])
            #expect(try RawConnection.rows(ofCopy: path) == writer.rows())
        }
    }

    private func withVolume(_ body: (ReliabilityKit.Volume, String) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        try body(try ReliabilityKit.Volume(directory.path), directory.file())
    }

    /// All rows, by a connection that joins nothing.
    private static func rows(_ path: String) throws -> [Int: String] {
        let reader = try RawConnection(path)
        defer { reader.close() }
        return try reader.rows()
    }

    private static func size(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
    }
}
