#if RequestCore
#if canImport(Glibc)
import DataRequestPersistence
import Foundation
import Glibc
import SkiathosLocks
import ReliabilityKit
import Skiathos
import SkiathosTesting
import TestTools

/// Processes that are killed while they fetch and store, each on what the one before has left.
package struct SyncKillRun: Sendable {
    /// How many stores there are.
    package var stores: Int
    /// How many processes are killed on each store.
    package var livesPerStore: Int

    package init(stores: Int, livesPerStore: Int) {
        (self.stores, self.livesPerStore) = (stores, livesPerStore)
    }

    /// What has come of a run.
    package struct Result: Sendable {
        /// How many processes were killed.
        package var kills = 0
        /// How many processes went on behind the first page.
        package var resumed = 0
        /// How many pages the servers have sent.
        package var pages = 0
        /// How many rows the stores have in the end.
        package var rows = 0
        /// What is wrong, in sentences.
        package var problems: [String] = []
    }

    /// Kills all processes.
    package func run(seed: UInt64) async throws -> Result {
        var random = SeededNumbers(seed: seed)
        var result = Result()
        for _ in 0..<stores { try await one(&random, &result) }
        return result
    }

    private func one(_ random: inout SeededNumbers, _ result: inout Result) async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.file("catalogue.sqlite")
        let server = try CatalogueServer()
        defer { server.stop() }
        for _ in 0..<livesPerStore {
            if random.happens(25) { server.change() }
            let child = try start(path, server)
            // The moment is the point of it; nothing is waited for. A thread of its own has the time
            // also while other tests hold those of Swift's tasks.
            let moment = DispatchTime.now() + .milliseconds(40 + random.below(400))
            await withContinuation { (killed: Continuation<Void, Never>) in
                DispatchQueue(label: "kill").asyncAfter(deadline: moment) {
                    // It was not reaped yet, so no other process has its number.
                    kill(child.id, SIGKILL)
                    killed.resume()
                }
            }
            let status = await child.end()
            if status.wasKilled { result.kills += 1 }
            if !status.wasKilled, status.code != 0 {
                result.problems.append("A process has ended with \(status.code).")
            }
            record(server.takePages(), &result)
        }
        for _ in 0..<2 {
            let status = try await start(path, server).end()
            if status.wasKilled || status.code != 0 {
                result.problems.append("A last process has ended with \(status.code).")
            }
            record(server.takePages(), &result)
        }
        try await check(path, server, &result)
    }

    private func start(_ path: String, _ server: CatalogueServer) throws -> SpawnedProcess {
        let executable = Bundle.main.bundleURL.appendingPathComponent("DeliveryChild").path
        return try SpawnedProcess(
            [executable, path, "\(server.port)", "sync"],
            .init(errors: SpawnedProcess.relayedErrors))
    }

    private func record(_ pages: [Int], _ result: inout Result) {
        result.pages += pages.count
        if let first = pages.first, first > 0 { result.resumed += 1 }
    }

    private func check(
        _ path: String, _ server: CatalogueServer, _ result: inout Result
    ) async throws {
        let dal = try await DataAccessLayer.open(
            .sqlite(path), entities: [Change.self] + DataRequestEntities.all)
        let rows = try await dal.read { try Change.all(in: $0) }
        result.problems += try await dal.integrityProblems()
        try await dal.close()
        result.rows += rows.count
        let stored = Dictionary(rows.map { ($0.token, $0.key) }) { first, _ in first }
        if stored.count != rows.count { result.problems.append("A row lies there twice.") }
        if stored != server.items {
            result.problems.append(
                "The store has \(stored.count) rows and the server \(server.items.count), or others."
            )
        }
        if server.unchanged == 0 { result.problems.append("The last sync was not answered 304.") }
    }
}
#endif
#endif
