import GRDBSQLite
import ReliabilityKit
import TestTools
import Testing

/// Random statements, whose rows are compared with a dictionary.
struct FrameWriterRun {
    private let volume: ReliabilityKit.Volume
    private let path: String
    private let writer: JoiningConnection
    private let onlooker: RawConnection
    private var numbers: SeededNumbers
    private var committed: [Int: String] = [:]
    private var current: [Int: String] = [:]
    /// The rows at each open savepoint.
    private var savepoints: [[Int: String]] = []

    init(_ volume: ReliabilityKit.Volume, _ path: String, seed: UInt64) throws {
        self.volume = volume
        self.path = path
        numbers = SeededNumbers(seed: seed)
        writer = try JoiningConnection(path)
        onlooker = try RawConnection(path)
    }

    func close() {
        onlooker.close()
        writer.close()
    }

    mutating func step() throws {
        if numbers.happens(10) {
            let code = numbers.happens(50) ? SQLITE_FULL : SQLITE_IOERR | 3 << 8
            volume.fail(
                Fault(
                    .write, .wal, after: numbers.below(4), isForEver: numbers.happens(30),
                    result: code, isPartial: numbers.happens(50)))
        }
        do {
            try writer.isInTransaction ? stepInside() : stepOutside()
        } catch is RawConnection.Failure {
            if writer.isInTransaction { try writer.run("ROLLBACK") }
            (current, savepoints) = (committed, [])
        }
        if numbers.happens(30) { volume.fail(nil) }
        if !writer.isInTransaction { try compare() }
    }

    private mutating func stepOutside() throws {
        switch numbers.below(10) {
        case 0: try writer.run("PRAGMA wal_checkpoint(PASSIVE)")
        case 1: try writer.run("PRAGMA wal_checkpoint(TRUNCATE)")
        case 2...3:
            try change()
            committed = current
        default: try writer.run("BEGIN IMMEDIATE")
        }
    }

    private mutating func stepInside() throws {
        switch numbers.below(20) {
        case 0...1:
            try writer.run("COMMIT")
            (committed, savepoints) = (current, [])
        case 2:
            try writer.run("ROLLBACK")
            (current, savepoints) = (committed, [])
        case 3...4:
            try writer.run("SAVEPOINT s\(savepoints.count)")
            savepoints.append(current)
        case 5 where !savepoints.isEmpty:
            let depth = numbers.below(savepoints.count)
            try writer.run("RELEASE s\(depth)")
            savepoints.removeSubrange(depth...)
        case 6...7 where !savepoints.isEmpty:
            let depth = numbers.below(savepoints.count)
            try writer.run("ROLLBACK TO s\(depth)")
            current = savepoints[depth]
            savepoints.removeSubrange((depth + 1)...)
        case 8:
            let rows = try writer.rows()
            #expect(rows == current)
        default: try change()
        }
    }

    private mutating func change() throws {
        // Many rows at once have pages written before the commit.
        let first = numbers.below(60)
        let ids = first..<(first + 1 + (numbers.happens(30) ? numbers.below(40) : numbers.below(3)))
        if numbers.happens(25) {
            try writer.run(
                "DELETE FROM item WHERE id >= \(ids.lowerBound) AND id < \(ids.upperBound)")
            for id in ids { current[id] = nil }
        } else {
            let text = "\(numbers.below(1000))" + String(repeating: "x", count: numbers.below(1500))
            let values = ids.map { "(\($0), '\($0) \(text)')" }.joined(separator: ", ")
            try writer.run("INSERT OR REPLACE INTO item VALUES \(values)")
            for id in ids { current[id] = "\(id) \(text)" }
        }
    }

    private func compare() throws {
        #expect(try writer.rows() == committed)
        #expect(try onlooker.rows() == committed)
        #expect(try RawConnection.rows(ofCopy: path) == committed)
    }
}
