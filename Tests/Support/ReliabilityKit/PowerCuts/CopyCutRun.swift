import Skiathos
import SkiathosTesting
import TestTools

/// A store that loses power while it is backed up and restored, at every change of a file.
///
/// The name of a backup leads to nothing, or to the whole of what was there before, or to the whole
/// copy; once the call has returned, to the copy. The store is whole at every moment.
package struct CopyCutRun: Sendable {
    /// What decides about contents and images.
    package var seed: UInt64
    /// How many images there are of each moment, beside those of all and nothing.
    package var imagesPerMoment = 6
    /// Mistakes that are planted in the file system.
    package var lies = Volume.Lies()

    package init(seed: UInt64) { self.seed = seed }

    /// What has come of a run.
    package struct Result: Sendable {
        /// How many images were looked at.
        package var images = 0
        /// How many of them were made during a backup or a restore.
        package var imagesMeanwhile = 0
        /// In how many of those the backup was there, in the state before and after.
        package var oldCopies = 0
        package var newCopies = 0
        /// What is wrong, in sentences.
        package var problems: [String] = []
    }

    private static let copyName = "copy.sqlite"

    /// What may be there from one moment to the next.
    private struct Phase {
        /// The first moment after it.
        var end: Int
        /// After which writes the contents of the store may be.
        var store: Set<Int>
        /// After which writes those of the copy may be; `nil` for no copy.
        var copy: Set<Int?>
        var isMeanwhile = false
    }

    /// Copies, restores, and looks at what may be left.
    package func run() async throws -> Result {
        let directory = try TemporaryDirectory()
        let volume = try Volume(directory.path)
        volume.lie(lies)
        var phases: [Phase] = []
        try await copy(volume, directory.file(Self.copyName), &phases)
        var result = Result()
        look(at: volume, phases, &result)
        return result
    }

    private func copy(
        _ volume: Volume, _ path: String, _ phases: inout [Phase]
    ) async throws {
        var configuration = Configuration()
        configuration.checkpointSize = 30_000
        let dal = try await DataAccessLayer.open(
            .sqlite(volume.path), entities: Item.self, configuration: configuration)
        func end(_ store: some Sequence<Int>, _ copy: Set<Int?>, isMeanwhile: Bool = false) {
            phases.append(
                Phase(
                    end: volume.length, store: Set(store), copy: copy, isMeanwhile: isMeanwhile))
        }
        let first = try await write(12, to: dal)
        end(0...first, [nil])
        try await dal.backUp(to: path)
        end(first...first, [nil, first], isMeanwhile: true)
        let second = try await write(12, to: dal)
        end(first...second, [first])
        try await dal.backUp(to: path, overwriting: true)
        end(second...second, [first, second], isMeanwhile: true)
        let third = try await write(6, to: dal)
        end(second...third, [second])
        try await dal.restore(from: path)
        end([second, third], [second], isMeanwhile: true)
        end(second...second, [second])
        volume.record(false)
        try await dal.close()
    }

    /// Makes durable writes and returns the number of the last one.
    private func write(_ count: Int, to dal: DataAccessLayer) async throws -> Int {
        let ledger = Ledger(seed: seed)
        var number = 0
        for _ in 0..<count {
            number = try await dal.write(acknowledging: .durable) { try ledger.write(in: $0) }
        }
        return number
    }

    private func look(at volume: Volume, _ phases: [Phase], _ result: inout Result) {
        let states = Ledger(seed: seed).contents(after: 40)
        let disk = Disk(volume)
        var random = SeededNumbers(seed: seed)
        var moment = 0
        for phase in phases {
            // At its end the promise of the next one holds already.
            repeat {
                disk.advance(to: moment)
                let chosen = (0..<imagesPerMoment).map { _ in disk.image(seed: random.next()) }
                for image in [disk.imageAfterKill, disk.imageAfterPowerCut] + chosen {
                    look(at: image, phase, states, "event \(moment) of \(volume.length)", &result)
                }
                moment += 1
            } while moment < phase.end
        }
    }

    private func look(
        at image: DiskImage, _ phase: Phase, _ states: [String], _ place: String,
        _ result: inout Result
    ) {
        result.images += 1
        if phase.isMeanwhile { result.imagesMeanwhile += 1 }
        let store = Self.number(in: image, Volume.storeName, states)
        switch store {
        case .success(nil) where phase.store.contains(0): break
        case .success(let number?) where phase.store.contains(number): break
        default:
            result.problems.append("At \(place) the store is \(store), not one of \(phase.store).")
        }
        let copy = Self.number(in: image, Self.copyName, states)
        guard case .success(let number) = copy, phase.copy.contains(number) else {
            result.problems.append("At \(place) the backup is \(copy), not one of \(phase.copy).")
            return
        }
        guard phase.isMeanwhile, let number else { return }
        if number == phase.copy.compactMap({ $0 }).max() {
            result.newCopies += 1
        } else {
            result.oldCopies += 1
        }
    }

    private struct Unsound: Error {
        var text: String
    }

    /// The number of the last write in a database, of which everything must be there; `nil` if there
    /// is none.
    private static func number(
        in image: DiskImage, _ name: String, _ states: [String]
    ) -> Swift.Result<Int?, Unsound> {
        guard image.has(name) else { return .success(nil) }
        let (code, text) = image.query(Ledger.query, of: name)
        // A store that was not created as a whole yet.
        if name == Volume.storeName, text.contains("no such table") { return .success(nil) }
        let lines = text.utf8.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
        guard code == 0, lines.count == 3, lines[0].elementsEqual("ok".utf8),
            let number = Int(Substring(lines[1])), states.indices.contains(number),
            states[number] == Substring(lines[2])
        else { return .failure(Unsound(text: "unsound: \(text.prefix(200)) (\(code))")) }
        return .success(number)
    }
}
