import Skiathos
import SkiathosCore
package import SkiathosStore
import SkiathosTesting
package import TestTools

/// Stores that lose power while they are written to, over and over.
///
/// A run has several lives. In each, tasks and threads write to a store, which is closed and opened
/// once or twice meanwhile; then images of what a loss of power may leave are looked at, for many
/// moments of that life. The next life begins on one of them, so that power is also lost while the
/// store recovers from an earlier loss.
package struct PowerCutRun: Sendable {
    /// What decides about everything but the order in which threads run.
    package var seed: UInt64
    /// How many lives there are.
    package var lives = 4
    /// How many writes each life has.
    package var writesPerLife = 120
    /// How many images are looked at.
    package var images = 1_000
    /// Chooses an operation that fails each time that the store was opened; none by default.
    package var fault: (@Sendable (inout SeededNumbers) -> Fault)?
    /// Whether a read-only store stays attached while the writer closes and opens, and holds long
    /// reads meanwhile.
    package var hasOnlooker = false
    /// Mistakes that are planted in the file system.
    package var lies = Volume.Lies()
    /// What stands around the store, to plant mistakes in it.
    package var wrap: @Sendable (any PersistentStore) -> any PersistentStore = { $0 }

    package init(seed: UInt64) { self.seed = seed }

    /// What has come of a run.
    package struct Result: Sendable {
        /// How many images were looked at.
        package var images = 0
        /// How many of them were opened by the package itself, too.
        package var opened = 0
        /// How many changes of files were recorded.
        package var events = 0
        /// How many writes were acknowledged as durable.
        package var durableWrites = 0
        /// How many syncs of the main file there were, at most two for each checkpoint.
        package var mainSyncs = 0
        /// How many operations were made to fail.
        package var faults = 0
        /// What is wrong, in sentences.
        package var problems: [String] = []
    }

    /// Lives all lives.
    package func run() async throws -> Result {
        var result = Result()
        var random = SeededNumbers(seed: seed)
        var directory = try TemporaryDirectory()
        var inherited = 0
        for life in 0..<lives {
            let volume = try Volume(directory.path)
            volume.lie(lies)
            // What the disk held at first must outlive the recovery, too.
            volume.mark(inherited)
            let birth = volume.length
            do {
                try await live(volume, &random, &result)
            } catch {
                result.problems.append("Life \(life) cannot continue: \(error)")
                break
            }
            let (image, samples) = try look(at: volume, since: birth, &random, &result)
            guard let image else { break }
            for sample in [image] + samples {
                try await open(sample, &result, "an image of life \(life)")
            }
            directory = try TemporaryDirectory()
            try image.write(to: directory.path)
            inherited = Self.number(in: image)
        }
        return result
    }

    private func live(
        _ volume: Volume, _ random: inout SeededNumbers, _ result: inout Result
    ) async throws {
        var onlooker: Onlooker?
        let ended: Swift.Result<Void, any Error>
        do {
            ended = .success(try await live(volume, &onlooker, &random, &result))
        } catch {
            ended = .failure(error)
        }
        volume.record(false)
        volume.fail(nil)
        // Nothing may use the volume when it goes.
        try? await onlooker?.close()
        try ended.get()
        result.events += volume.length
        result.faults += volume.failures
        result.mainSyncs += volume.count(.sync, .main)
    }

    private func live(
        _ volume: Volume, _ onlooker: inout Onlooker?, _ random: inout SeededNumbers,
        _ result: inout Result
    ) async throws {
        let parts = (hasOnlooker ? 2 : 1) + random.below(3)
        for part in 0..<parts {
            let dal = try await open(volume)
            let first: Int
            do {
                first = try await Ledger.number(in: dal)
                if hasOnlooker, onlooker == nil { onlooker = try await Onlooker(volume.path) }
            } catch {
                volume.record(false)
                _ = try? await dal.close()
                throw error
            }
            if let fault { volume.fail(fault(&random)) }
            let last = first + writesPerLife / parts
            result.durableWrites += await write(until: last, dal, volume, random.next(), onlooker)
            await onlooker?.release()
            if part < parts - 1 || random.happens(50) {
                // Who has closed without an error has everything on the disk.
                let written = try? await Ledger.number(in: dal)
                if (try? await dal.close()) != nil, let written { volume.mark(written) }
            } else {
                // Nothing of what follows is a part of this life.
                volume.record(false)
                _ = try? await dal.close()
            }
            volume.fail(nil)
        }
    }

    private func open(_ volume: Volume) async throws -> DataAccessLayer {
        var configuration = Configuration()
        // A checkpoint every few dozen writes.
        configuration.checkpointSize = 100_000
        configuration.errorHandler = { _ in }
        let wrap = wrap
        let source = StoreSource(description: volume.path) { schema, options in
            wrap(try StoreSource.sqlite(volume.path).open(schema, options))
        }
        return try await DataAccessLayer.open(
            source, entities: Item.self, configuration: configuration)
    }

    /// Writes from several tasks; returns how many writes were acknowledged as durable.
    private func write(
        until last: Int, _ dal: DataAccessLayer, _ volume: Volume, _ seed: UInt64,
        _ onlooker: Onlooker?
    ) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for writer in 0..<4 as Range<UInt64> {
                group.addTask {
                    await write(
                        until: last, dal, volume, random: SeededNumbers(seed: seed &+ writer),
                        writer == 0 ? onlooker : nil)
                }
            }
            return await group.reduce(0, +)
        }
    }

    /// Writes from one task.
    private func write(
        until last: Int, _ dal: DataAccessLayer, _ volume: Volume, random: SeededNumbers,
        _ onlooker: Onlooker?
    ) async -> Int {
        let ledger = Ledger(seed: self.seed)
        var random = random
        var durable = 0
        var failures = 0
        while failures < 5 {
            if let onlooker, random.happens(15) {
                // The running read ends, and another one may begin.
                await onlooker.release()
                if random.happens(70) { await onlooker.hold() }
            }
            let level: Acknowledgement =
                random.happens(40) ? .durable : random.happens(60) ? .committed : .merged
            do {
                let number = try await dal.write(acknowledging: level) {
                    try ledger.write(in: $0)
                }
                if level == .durable {
                    volume.mark(number)
                    durable += 1
                }
                if number >= last { break }
                // One that was merged alone may be lost before.
                if level == .committed, random.happens(5) {
                    try await dal.flush()
                    volume.mark(number)
                }
            } catch {
                failures += 1
            }
        }
        return durable
    }

    /// A fault that comes sooner or later, once or for ever.
    package static func anyFault(_ random: inout SeededNumbers) -> Fault {
        let isForEver = random.happens(30)
        return switch random.below(5) {
        case 0: Fault(.sync, .wal, after: random.below(25), isForEver: isForEver, result: 1034)
        case 1: Fault(.sync, .main, after: random.below(3), isForEver: isForEver, result: 1034)
        case 2:
            Fault(
                .write, .wal, after: random.below(400), isForEver: isForEver, result: 778,
                isPartial: random.happens(50))
        case 3: Fault(.write, .main, after: random.below(100), isForEver: isForEver, result: 778)
        default: Fault(.write, .wal, after: random.below(400), isForEver: isForEver, result: 13)
        }
    }

    /// A checkpoint whose sync of the main file fails.
    package static func checkpointFault(_ random: inout SeededNumbers) -> Fault {
        Fault(.sync, .main, after: random.below(3), result: 1034)
    }
}
