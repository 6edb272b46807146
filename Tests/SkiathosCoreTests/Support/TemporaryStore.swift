import Foundation
import Skiathos
import SkiathosTesting

/// A place for the file of a store that a test opens and closes itself.
struct TemporaryStore: Sendable {
    let directory: TemporaryDirectory
    var path: String { directory.file("test.sqlite") }

    init() throws { directory = try TemporaryDirectory() }

    func open(_ configuration: Configuration = Configuration()) async throws -> DataAccessLayer {
        try await .fixture(at: path, configuration: configuration)
    }

    /// Opens a store at the path or in memory.
    func open(in place: Place) async throws -> DataAccessLayer {
        if place == .file { return try await open() }
        return try await .fixture(in: .inMemory)
    }

    /// Opens the store as soon as one that was released without a close has closed its files.
    ///
    /// The last thread that refers to it does that, and a weak reference is nil before.
    func openWhenReleased() async throws -> DataAccessLayer {
        while true {
            do {
                return try await open()
            } catch let error as StoreError where error.code == .storeInUse {
                await Task.yield()
            }
        }
    }

    /// Opens the store once more and counts its users.
    func storedUsers() async throws -> Int {
        let dal = try await open()
        let count: Int = try await dal.read { try User.count(in: $0) }
        try await dal.close()
        return count
    }

    /// What the files of the directory hold, by name.
    func contents() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        return try Dictionary(
            uniqueKeysWithValues: names.map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: directory.file($0))))
            })
    }
}
