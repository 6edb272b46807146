import Foundation
import Skiathos
import SkiathosStore
import SkiathosTesting
import TestTools

/// Stores that were not closed, whose WAL is damaged before the next opening.
///
/// Opening may succeed with all acknowledged writes, or be refused without changing the files.
/// It never shows less and says nothing. Where nothing is lost it does not refuse.
package struct WALDamageRun: Sendable {
    /// What decides about everything.
    package var seed: UInt64
    /// How many stores are written.
    package var stores = 6
    /// How often the WAL of each is damaged in each way.
    package var attempts = 4

    /// The ends of the names of a store's files.
    private static let suffixes = ["-shm", "-witness", ".lock", "-wal", ""]

    package init(seed: UInt64) { self.seed = seed }

    /// What has come of a run.
    package struct Result: Sendable {
        /// How many stores were opened after a damage.
        package var mutants = 0
        /// How many of them were refused.
        package var refused = 0
        /// How many of those were opened with what was there.
        package var accepted = 0
        /// What is wrong, in sentences.
        package var problems: [String] = []
    }

    /// How a store ends without being closed.
    private enum End: CaseIterable {
        /// By a loss of power after the system has written everything: there is no index of the WAL.
        case powerCut
        /// By the end of its process: all files are there as they were.
        case kill
    }

    /// The files of a store that was not closed.
    private struct Base {
        /// By the end of their names.
        var files: [String: [UInt8]]
        /// The number of the last write that was acknowledged.
        var promise: Int
    }

    /// Damages all stores.
    package func run() async throws -> Result {
        var random = SeededNumbers(seed: seed)
        var result = Result()
        for number in 0..<stores {
            let end = End.allCases[number % 2]
            let base = try await base(end, &random)
            for damage in WALDamage.allCases {
                for _ in 0..<attempts {
                    try await open(base, damage, end, &random, &result)
                }
            }
        }
        return result
    }

    private func base(_ end: End, _ random: inout SeededNumbers) async throws -> Base {
        let directory = try TemporaryDirectory()
        let ledger = Ledger(seed: seed)
        var configuration = Configuration()
        // In some stores a checkpoint has been made before.
        configuration.checkpointSize = random.happens(50) ? 60_000 : 16 << 20
        let volume = end == .powerCut ? try Volume(directory.path) : nil
        let dal = try await DataAccessLayer.open(
            .sqlite(directory.file(Volume.storeName)), entities: Item.self,
            configuration: configuration)
        var promise = 0
        for _ in 0..<3 + random.below(40) {
            promise = try await dal.write(acknowledging: volume == nil ? .committed : .durable) {
                try ledger.write(in: $0)
            }
        }
        var files = try await Self.betweenCheckpoints(dal) {
            var source = directory
            if let volume {
                volume.record(false)
                let disk = Disk(volume)
                disk.advance(to: volume.length)
                source = try TemporaryDirectory()
                try disk.imageAfterKill.write(to: source.path)
            }
            return Self.files(in: source)
        }
        if end == .powerCut {
            // The system may have written any of the index, which is never synced.
            files["-shm"] = (0..<32_768).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        }
        try await dal.close()
        return Base(files: files, promise: promise)
    }

    /// Takes a copy while it holds the connection that commits and checkpoints need.
    ///
    /// An index from before a checkpoint beside a main file from after it is a state that no kill
    /// leaves; and of a checkpoint that was cut off the damaged WAL tells nothing.
    private static func betweenCheckpoints<R: Sendable>(
        _ dal: DataAccessLayer, _ copy: @escaping @Sendable () throws -> R
    ) async throws -> R {
        try await dal.write { context in try context.query { _ in try copy() } }
    }

    private static func files(in directory: TemporaryDirectory) -> [String: [UInt8]] {
        // Nothing else of this process relies on locks of these files.
        var files: [String: [UInt8]] = [:]
        for suffix in suffixes {
            let path = directory.file(Volume.storeName + suffix)
            files[suffix] = FileManager.default.contents(atPath: path).map { Array($0) }
        }
        return files
    }

    private func open(
        _ base: Base, _ damage: WALDamage, _ end: End, _ random: inout SeededNumbers,
        _ result: inout Result
    ) async throws {
        let what = "\(damage) after a \(end)"
        guard let log = base.files["-wal"], !log.isEmpty else { return }
        let directory = try TemporaryDirectory()
        var files = base.files
        files["-wal"] = damage.apply(to: log, &random)
        for (suffix, bytes) in files {
            let path = directory.file(Volume.storeName + suffix)
            try Data(bytes).write(to: URL(fileURLWithPath: path))
        }
        result.mutants += 1
        var configuration = Configuration()
        do {
            let number = try await number(directory, configuration, &result, what)
            if number < base.promise {
                result.problems.append(
                    "\(what): write \(base.promise) was acknowledged, \(number) is there, and opening said nothing."
                )
            }
        } catch let error as StoreError {
            result.refused += 1
            if damage.isHarmless { result.problems.append("\(what): \(error)") }
            for suffix in ["", "-wal"] {
                let path = directory.file(Volume.storeName + suffix)
                let bytes = FileManager.default.contents(atPath: path).map { Array($0) }
                if bytes != files[suffix] {
                    result.problems.append("\(what): the refusal has changed \"\(suffix)\".")
                }
            }
            configuration.acceptsIncompleteWAL = true
            do {
                let (killed, promise) = try await killAgain(directory, configuration)
                result.accepted += 1
                // What was accepted once is not refused again, however the store ends. The old end
                // of a WAL may be sound again behind the same writes.
                for place in [killed, directory] {
                    do {
                        let number = try await number(
                            place, Configuration(), &result, "\(what), afterwards")
                        if number < promise {
                            result.problems.append(
                                "\(what), afterwards: \(number), not \(promise).")
                        }
                    } catch {
                        result.problems.append("\(what), afterwards: \(error)")
                    }
                }
            } catch let error as StoreError
                where error.code == .damaged || error.code == .incompleteWAL
            {
                // What is there is not sound, and the message says so.
            } catch let error as StoreError where error.code == .uniqueViolation {
                // A checkpoint had ended before the damage, so that the main file is newer than what is left
                // of the WAL. After a loss of power there is no index to tell; accepting the WAL then
                // accepts rows of two ages, which the ledger meets as an item that is there already.
                guard end == .powerCut else { throw error }
            }
        }
    }

    /// Opens and writes without a sync, and returns what the end of the process would leave, with the
    /// number of the last write.
    private func killAgain(
        _ directory: TemporaryDirectory, _ configuration: Configuration
    ) async throws -> (TemporaryDirectory, Int) {
        let ledger = Ledger(seed: seed)
        let dal = try await DataAccessLayer.open(
            .sqlite(directory.file(Volume.storeName)), entities: Item.self,
            configuration: configuration)
        var last = 0
        for _ in 0..<2 { last = try await dal.write { try ledger.write(in: $0) } }
        let killed = try TemporaryDirectory()
        for (suffix, bytes) in try await Self.betweenCheckpoints(dal, { Self.files(in: directory) })
        {
            let url = URL(fileURLWithPath: killed.file(Volume.storeName + suffix))
            try Data(bytes).write(to: url)
        }
        try await dal.close()
        return (killed, last)
    }

    /// Opens, compares what is there with a state that the store once had, and closes.
    private func number(
        _ directory: TemporaryDirectory, _ configuration: Configuration, _ result: inout Result,
        _ what: String
    ) async throws -> Int {
        let source = StoreSource.sqlite(directory.file(Volume.storeName))
        let (number, contents) = try await withStore(
            source, entities: Item.self, configuration: configuration
        ) { dal in
            (try await Ledger.number(in: dal), try await Ledger.contents(of: dal))
        }
        if contents != Ledger(seed: seed).lastContents(after: number) {
            result.problems.append("\(what): the contents are not those after write \(number).")
        }
        return number
    }
}
