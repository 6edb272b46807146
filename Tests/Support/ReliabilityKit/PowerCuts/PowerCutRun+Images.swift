import Foundation
import Skiathos
import SkiathosTesting
import TestTools

/// What failedBatchCount of power leave, and whether it is what it must be.
extension PowerCutRun {
    /// How many images of each life are opened by the package, too.
    private static let samplesPerLife = 12

    /// Looks at images of all moments, and returns one of the later ones and some of all.
    func look(
        at volume: Volume, since birth: Int, _ random: inout SeededNumbers, _ result: inout Result
    ) throws -> (next: DiskImage?, samples: [DiskImage]) {
        let count = images / lives
        let length = volume.length
        let disk = Disk(volume)
        let states = Ledger(seed: seed).contents(after: lives * writesPerLife * 2)
        let moments = (0..<count).map { _ in birth + random.below(length - birth + 1) }.sorted()
        // The next life begins at one of the later ones.
        let chosen = count / 2 + random.below(count - count / 2)
        var next: DiskImage?
        var samples: [DiskImage] = []
        for (index, moment) in moments.enumerated() {
            disk.advance(to: moment)
            let imageSeed = random.next()
            let image = disk.image(seed: imageSeed)
            result.images += 1
            if let problem = Self.problem(of: image, promise: disk.promise, states) {
                result.problems.append(
                    "Image \(imageSeed) at event \(moment) of \(length): \(problem)")
            }
            if index == chosen { next = image }
            // Before the store was created there is nothing to open.
            if index.isMultiple(of: max(1, count / Self.samplesPerLife)), Self.number(in: image) > 0
            {
                samples.append(image)
            }
        }
        return (next, samples)
    }

    /// What is wrong with an image, if anything is.
    private static func problem(of image: DiskImage, promise: Int, _ states: [String]) -> String? {
        let (code, text) = image.query(Ledger.query)
        guard code == 0 else {
            // Before the store was created there is nothing to read, and nothing was promised.
            let isUnborn = promise == 0 && (code == 14 || text.contains("no such table"))
            return isUnborn ? nil : "it cannot be read: \(text) (\(code)), promised \(promise)"
        }
        // Three answers: whether the file is sound, the number of the last write, the contents.
        let lines = text.utf8.split(separator: 10, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3, let number = Int(Substring(lines[1])),
            lines[0].elementsEqual("ok".utf8)
        else { return "it is damaged: \(text.prefix(200))" }
        guard number < states.count, states[number] == Substring(lines[2]) else {
            return "its contents are not those after write \(number), promised \(promise)"
        }
        guard number >= promise else {
            return "write \(promise) was promised, the last one there is \(number)"
        }
        return nil
    }

    /// The number of the last write that an image holds.
    static func number(in image: DiskImage) -> Int {
        let (code, text) = image.query(Ledger.query)
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
        return code == 0 && lines.count > 1 ? Int(lines[1]) ?? 0 : 0
    }

    /// Opens a copy of an image with the package, and compares what it shows.
    func open(_ image: DiskImage, _ result: inout Result, _ what: String) async throws {
        let directory = try TemporaryDirectory()
        try image.write(to: directory.path)
        // The index of the WAL is never synced, so anything may be left of it.
        var random = SeededNumbers(seed: seed &+ UInt64(result.opened))
        let rubbish = (0..<4_096).map { _ in random.next() }.withUnsafeBytes { Data($0) }
        try rubbish.write(to: URL(fileURLWithPath: directory.file(Volume.storeName + "-shm")))
        result.opened += 1
        do {
            let source = StoreSource.sqlite(directory.file(Volume.storeName))
            let (number, contents) = try await withStore(source, entities: Item.self) { dal in
                (try await Ledger.number(in: dal), try await Ledger.contents(of: dal))
            }
            if contents != Ledger(seed: seed).lastContents(after: number) {
                result.problems.append("The package shows other contents than SQLite: \(what).")
            }
        } catch {
            result.problems.append("The package cannot open \(what): \(error)")
        }
    }
}
