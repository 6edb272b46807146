import Foundation
import GRDB
import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization
import TestSupport

/// A store whose rows are written one after the other, and pictures of its files: what a kill would leave.
final class Life: Sendable {
    /// The files of the store at a moment, and how many rows were committed before and after it.
    struct Picture {
        let path: String
        let least: Int
        let most: Int
    }

    private struct State {
        var begun = 0
        var committed = 0
        var pictures: [Picture] = []
        var copies: [String] = []
    }

    private let directory: TemporaryDirectory
    private let state = Lock(State())
    /// One of how many moments is photographed.
    private let step: Int
    private let moments = Lock(0)

    init(step: Int) throws {
        directory = try TemporaryDirectory()
        self.step = step
    }

    var pictures: [Picture] { state.withLock { $0.pictures } }
    /// Copies of the main file alone, which were closed, and backups.
    var copies: [String] { state.withLock { $0.copies } }

    /// Writes rows, with a checkpoint now and then, during which the files are photographed at each write.
    func run(rows: Int, checkpointSize: Int = 60_000) async throws {
        let home = try folder("home")
        let volume = try Volume(home)
        volume.hook { operation, files in
            guard operation == .write, files == .main, self.state.withLock({ $0.begun > 0 }) else {
                return
            }
            self.photograph(home)
        }
        var configuration = Skiathos.Configuration()
        configuration.checkpointSize = checkpointSize
        let dal = try await DataAccessLayer.open(
            .sqlite(volume.path), entities: Item.self, configuration: configuration)
        for number in 0..<rows {
            state.withLock { $0.begun = number + 1 }
            try await dal.write(acknowledging: number % 7 == 3 ? .durable : .committed) { context in
                try Item.create(id: Item.ID(rawValue: "\(number)"), in: context) {
                    $0.sequence = number
                    $0.text = String(repeating: "x", count: 100 + number * 977 % 5_000)
                }
                // A page in the middle of the file changes, too.
                try Item.find(Item.ID(rawValue: "\(number / 2)"), in: context)?.text += "y"
            }
            state.withLock { $0.committed = number + 1 }
            photograph(home)
            if number % 20 == 5 { try await copy(home) }
            if number == rows / 2 {
                let backup = "\(directory.path)/backup"
                try await dal.backUp(to: backup)
                let vacuumed = "\(directory.path)/vacuumed"
                let queue = try DatabaseQueue(path: volume.path)
                try queue.inDatabase { try $0.execute(sql: "VACUUM INTO '\(vacuumed)'") }
                try queue.close()
                state.withLock { $0.copies += [backup, vacuumed] }
            }
        }
        try await dal.close()
        volume.hook { _, _ in }
    }

    private func photograph(_ home: String) {
        // The lock keeps a checkpoint from going on meanwhile.
        moments.withLock { number in
            number += 1
            if number % step == 0 { photograph(home, number) }
        }
    }

    private func photograph(_ home: String, _ number: Int) {
        let (least, most) = state.withLock { ($0.committed, $0.begun) }
        do {
            let path = "\(directory.path)/\(number)"
            try FileManager.default.copyItem(atPath: home, toPath: path)
            state.withLock {
                $0.pictures.append(
                    Picture(path: "\(path)/\(Volume.storeName)", least: least, most: most))
            }
        } catch {
            fatalError("The files could not be copied: \(error)")
        }
    }

    /// Copies the store as it is now, and closes the copy, which is one file then.
    private func copy(_ home: String) async throws {
        let folder = "\(directory.path)/\(UUID().uuidString)"
        try moments.withLock { _ in try FileManager.default.copyItem(atPath: home, toPath: folder) }
        let copy = "\(folder)/\(Volume.storeName)"
        let dal = try await DataAccessLayer.open(.sqlite(copy), entities: Item.self)
        try await dal.close()
        state.withLock { $0.copies.append(copy) }
    }

    private func folder(_ name: String) throws -> String {
        let path = "\(directory.path)/\(name)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        return path
    }

    /// A copy of a picture, which a trial may change.
    func print(_ picture: Picture) throws -> Picture {
        let path = try folder(UUID().uuidString) + "/" + Volume.storeName
        for suffix in ["", "-wal", "-shm", "-journal", "-witness", ".lock"]
        where FileManager.default.fileExists(atPath: picture.path + suffix) {
            try FileManager.default.copyItem(
                atPath: picture.path + suffix, toPath: path + suffix)
        }
        return Picture(path: path, least: picture.least, most: picture.most)
    }
}

extension Life.Picture {
    /// Why the store, opened as it is, is not what it has to be; `nil` if it is.
    ///
    /// - Parameter mayRefuse: The code of the error that opening it may have.
    func problem(unlessRefused mayRefuse: StoreError.Code? = nil) async -> String? {
        do {
            let dal = try await DataAccessLayer.open(.sqlite(path), entities: Item.self)
            let rows = try await dal.read { try Item.all(in: $0).map(\.sequence).sorted() }
            let damage = try await dal.integrityProblems()
            try await dal.close()
            guard damage.isEmpty else { return "\(damage.prefix(2))" }
            guard rows == Array(0..<rows.count), (least...most).contains(rows.count) else {
                return "\(rows.count) rows in the place of \(least) to \(most)"
            }
            return nil
        } catch let error as StoreError where error.code == mayRefuse {
            return nil
        } catch {
            return "\(error)"
        }
    }

    /// How many bytes the WAL has.
    var walSize: Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path + "-wal")
        return attributes?[.size] as? Int ?? 0
    }

    /// Writes over the main file, as `cp` does.
    func overwriteMain(with copy: String) throws {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
        try bytes.write(to: URL(fileURLWithPath: path))
    }
}
