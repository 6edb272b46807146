#if RequestCore
import DataRequestPersistence
import Foundation
import SkiathosLocks
import ReliabilityKit
import Skiathos
import SkiathosTesting

#if canImport(Glibc)
import Glibc
import TestTools

/// Processes that are killed while they write and deliver, each on what the one before has left.
package struct DeliveryKillRun: Sendable {
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
        /// How many changes lie in the stores.
        package var changes = 0
        /// How many requests came to the servers.
        package var requests = 0
        /// How many of them were carried out.
        package var deliveries = 0
        /// How many of those had been carried out before.
        package var duplicates = 0
        /// How many changes were never delivered.
        package var failedBatchCount = 0
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

    private static var executable: String {
        Bundle.main.bundleURL.appendingPathComponent("DeliveryChild").path
    }

    private func one(_ random: inout SeededNumbers, _ result: inout Result) async throws {
        let directory = try TemporaryDirectory()
        defer { withExtendedLifetime(directory) {} }
        let path = directory.file("queue.sqlite")
        let server = try DeliveryServer(seed: random.next())
        defer { server.stop() }
        for _ in 0..<livesPerStore {
            let moment = Moment(&random)
            let status = try await life(path, server, random.next() | 1) { child in
                await moment.wait(server)
                // It was not reaped yet, so no other process has its number.
                kill(child.id, SIGKILL)
            }
            if status.wasKilled { result.kills += 1 }
            if !status.wasKilled, status.code != 0 {
                result.problems.append("A process has ended with \(status.code).")
            }
        }
        server.beKind()
        let last = try SpawnedProcess(
            [Self.executable, path, "\(server.port)", "0"],
            .init(errors: SpawnedProcess.relayedErrors))
        let status = await last.end()
        if status.wasKilled || status.code != 0 {
            result.problems.append("The last process has ended with \(status.code).")
        }
        try await check(path, server, &result)
    }

    /// When a process is killed.
    private enum Moment {
        /// So long after its start, when it may still be opening its store.
        case start(Duration)
        /// So long after it has sent so many requests.
        case requests(Int, Duration)

        init(_ random: inout SeededNumbers) {
            // A process writes some seventy changes.
            self =
                random.happens(25)
                ? .start(.milliseconds(15 + random.below(100)))
                : .requests(1 + random.below(50), .microseconds(random.below(10_000)))
        }

        func wait(_ server: DeliveryServer) async {
            switch self {
            case .start(let pause): try? await Task.sleep(for: pause)
            case .requests(let count, let pause):
                await server.wait(forMoreRequests: count)
                // Not always when a request has just arrived.
                try? await Task.sleep(for: pause)
            }
        }
    }

    /// Runs a process while the closure runs, and to its end.
    private func life(
        _ path: String, _ server: DeliveryServer, _ seed: UInt64,
        _ body: (SpawnedProcess) async -> Void
    ) async throws -> SpawnedProcess.Status {
        // Nothing is written to it: its end tells that of the process.
        let output = Pipe()
        let writing = output.fileHandleForWriting
        let child = try SpawnedProcess(
            [Self.executable, path, "\(server.port)", "\(seed)"],
            .init(output: writing.fileDescriptor, errors: SpawnedProcess.relayedErrors))
        try writing.close()
        server.processBegins()
        let ended = Task {
            await withContinuation { continuation in
                Thread.detachNewThread {
                    _ = try? output.fileHandleForReading.readToEnd()
                    server.processEnds()
                    continuation.resume()
                }
            }
        }
        await body(child)
        await ended.value
        return await child.end()
    }

    /// Compares what was carried out with what was committed.
    private func check(
        _ path: String, _ server: DeliveryServer, _ result: inout Result
    ) async throws {
        let dal = try await DataAccessLayer.open(
            .sqlite(path), entities: [Change.self] + DataRequestEntities.all)
        let changes = try await dal.read {
            try Change.all(orderedBy: { [$0.id.ascending] }, in: $0)
        }
        let left = try await dal.read { try QueuedRequest.count(in: $0) }
        result.problems += try await dal.integrityProblems()
        try await dal.close()
        if left > 0 { result.problems.append("\(left) requests are left in the queue.") }
        let expected = changes.map { "/\($0.key)/\($0.token)" }
        let arrivals = server.arrivals
        var keys: [String: Set<String>] = [:]
        var firsts: [String] = []
        for arrival in arrivals {
            if keys[arrival.path] == nil { firsts.append(arrival.path) }
            keys[arrival.path, default: []].insert(arrival.idempotencyKey)
        }
        result.changes += changes.count
        result.requests += server.requests
        result.deliveries += arrivals.count
        result.duplicates += arrivals.count - firsts.count
        result.failedBatchCount += Set(expected).subtracting(firsts).count
        let strays = Set(firsts).subtracting(expected).count
        if strays > 0 { result.problems.append("\(strays) changes arrived that were undone.") }
        if keys.values.contains(where: { $0.count != 1 }) {
            result.problems.append("A repetition had another idempotency key.")
        }
        for key in Set(changes.map(\.key)) {
            let prefix = "/\(key)/"
            let order = firsts.filter { $0.hasPrefix(prefix) }
            if order != expected.filter({ $0.hasPrefix(prefix) }) {
                result.problems.append("The order of \(key) was not kept.")
            }
        }
    }
}
#endif
#endif
