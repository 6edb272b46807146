#if canImport(Glibc)
import Foundation
import Glibc
import Skiathos
import SkiathosTesting

/// The process in which pairs of accesses are tried in turn, with more tasks than there are threads
/// for them.
///
/// It says `begin` and the number before each pair, so that the parent process knows which one has
/// hung: an alarm ends the process then.
package enum AccessPairChild {
    /// The first argument of such a process.
    package static let word = "access-pairs"
    /// How many seconds a pair may take before it counts as a hang.
    private static let patience: UInt32 = 600
    /// How many tasks there are, half of them of each kind.
    private static let tasks = 64

    /// Tries the scenes and the pairs whose names and numbers follow the word.
    package static func run(_ arguments: [String]) async throws {
        let directory = try TemporaryDirectory()
        let backup = directory.file("backup.sqlite")
        let dal = try await DataAccessLayer.open(.sqlite(backup), entities: Item.self)
        _ = try await dal.write { try Item.create(id: Item.ID(rawValue: "kept"), in: $0) }
        try await dal.close()
        for word in arguments.dropFirst() {
            guard let scene = AccessScene(rawValue: word) else { continue }
            alarm(patience)
            for problem in try await scene.run() { say("problem \(scene): \(problem)") }
        }
        for number in arguments.dropFirst().compactMap({ Int($0) }) {
            say("begin \(number)")
            alarm(patience)
            try await run(AccessPair.all[number], backup)
        }
        alarm(0)
        say("done")
        withExtendedLifetime(directory) {}
        exit(0)
    }

    private static func run(_ pair: AccessPair, _ backup: String) async throws {
        let directory = try TemporaryDirectory()
        var configuration = Configuration()
        configuration.readerCount = 2
        // Writes that are refused when the store is closed are none of this.
        configuration.errorHandler = { _ in }
        configuration.shutdownDeadline = .seconds(600)
        let source =
            pair.place == .file
            ? StoreSource.sqlite(directory.file("store.sqlite")) : .inMemory
        let dal = try await DataAccessLayer.open(
            source, entities: Item.self, configuration: configuration)
        let copy = directory.file("copy.sqlite")
        let errors = await withTaskGroup(of: (any Error)?.self) { group in
            for number in 0..<tasks {
                let kind = number.isMultiple(of: 2) ? pair.first : pair.second
                group.addTask {
                    do {
                        try await kind.use(dal, backup: backup, copy: copy)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: []) { errors, error in
                if let error { errors.append(error) }
            }
        }
        let isClosed = pair.first.closes || pair.second.closes
        for error in errors where !isClosed || (error as? DataAccessError)?.code != .closed {
            say("problem \(pair): \(error)")
        }
        let report = await dal.shutDown()
        if !report.isComplete { say("problem \(pair): \(report)") }
        withExtendedLifetime(directory) {}
    }

    private static func say(_ text: String) {
        let line = text.replacing("\n", with: " ") + "\n"
        _ = line.withCString { Glibc.write(STDOUT_FILENO, $0, strlen($0)) }
    }
}
#endif
