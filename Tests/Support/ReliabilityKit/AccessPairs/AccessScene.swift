#if canImport(Glibc)
import Foundation
import SkiathosLocks
import Skiathos
import Synchronization

/// What happens on purpose, in a process of its own, to all threads of the pool of Swift's tasks.
package enum AccessScene: String, CaseIterable, Sendable {
    /// The turn of a task comes when blocking closes hold all threads.
    case blockingCloses
    /// The turn of a task comes when blocking writes hold all threads, whose turn comes later.
    case blockingWrites
    /// As many tasks as there are threads read in a loop and never wait.
    case endlessReads
    /// As many tasks as there are threads write in a loop, each write merged at once.
    case endlessWrites

    /// More than there are threads.
    private static var crowd: Int { 4 * max(8, ProcessInfo.processInfo.activeProcessorCount) }

    /// Plays the scene, and returns what is wrong in sentences.
    func run() async throws -> [String] {
        var configuration = Configuration()
        configuration.shutdownDeadline = .milliseconds(300)
        let dal = try await DataAccessLayer.open(
            .inMemory, entities: Item.self, configuration: configuration)
        let problems =
            switch self {
            case .blockingCloses: try await Self.closeBeforeATask(dal)
            case .blockingWrites: try await Self.writeAfterATask(dal)
            case .endlessReads: try await Self.spin { dal in _ = try await dal.read { _ in } }
            case .endlessWrites:
                try await Self.spin { dal in
                    _ = try await dal.write(acknowledging: .merged) { context in
                        try Item.create(id: Item.ID(rawValue: UUID().uuidString), in: context)
                    }
                }
            }
        _ = await dal.shutDown()
        return problems
    }

    /// Has a task line up first, and then as many blocking calls as hold all threads.
    private static func block(
        _ dal: DataAccessLayer, by call: @escaping @Sendable () throws -> Void
    ) async -> (task: Result<Void, any Error>, calls: [Result<Void, any Error>]) {
        let (door, turn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let (calls, called) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let (task, written) = AsyncStream.makeStream(of: Result<Void, any Error>.self)
        let arrived = DispatchSemaphore(value: 0)
        return await withContinuation { continuation in
            Thread.detachNewThread {
                Thread.detachNewThread {
                    _ = try? dal.write { (_: WriteContext) -> Void in
                        turn.signal()
                        door.wait()
                    }
                }
                turn.wait()
                let begun = DispatchSemaphore(value: 0)
                Task {
                    let result: Result<Void, any Error>
                    begun.signal()
                    do {
                        _ = try await dal.write { try Item.create(id: "task", in: $0) }
                        result = .success(())
                    } catch {
                        result = .failure(error)
                    }
                    written.yield(result)
                }
                // It keeps its thread until it is in line.
                begun.wait()
                for _ in 0..<crowd {
                    Task {
                        arrived.signal()
                        called.yield(Result { try call() })
                    }
                }
                // As many have arrived as there are threads, or all; then the permit goes to the task.
                let width = ProcessInfo.processInfo.activeProcessorCount
                for _ in 0..<min(width, crowd) { arrived.wait() }
                door.signal()
                Task {
                    let end = await task.first { _ in true }
                    var ends: [Result<Void, any Error>] = []
                    for await call in calls {
                        ends.append(call)
                        if ends.count == crowd { break }
                    }
                    continuation.resume(returning: (end ?? .success(()), ends))
                }
            }
        }
    }

    private static func closeBeforeATask(_ dal: DataAccessLayer) async throws -> [String] {
        let (task, calls) = await block(dal) { try dal.close() }
        var problems = calls.compactMap { $0.problem }
        if case .failure(let error) = task, (error as? DataAccessError)?.code != .closed {
            problems.append("The task was told: \(error)")
        }
        return problems
    }

    private static func writeAfterATask(_ dal: DataAccessLayer) async throws -> [String] {
        let (task, calls) = await block(dal) {
            _ = try dal.write {
                try Item.create(id: Item.ID(rawValue: UUID().uuidString), in: $0)
            }
        }
        var problems = (calls + [task]).compactMap { $0.problem }
        let count: Int = try await dal.read { try Item.count(in: $0) }
        if count != calls.count + 1 { problems.append("\(count) rows of \(calls.count + 1)") }
        return problems
    }

    /// Each task has a store of its own, so that it never waits for another.
    private static func spin(
        _ access: @escaping @Sendable (DataAccessLayer) async throws -> Void
    ) async throws -> [String] {
        let over = Counter()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
                let dal = try await DataAccessLayer.open(.inMemory, entities: Item.self)
                group.addTask {
                    while over.value == 0 { try await access(dal) }
                    try await dal.close()
                }
            }
            // Needs a thread again and again; the alarm ends the process if it gets none.
            for _ in 0..<20 { await Task.detached { await Task.yield() }.value }
            over.count()
            try await group.waitForAll()
            return []
        }
    }
}

/// A number that many count.
private final class Counter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .relaxed) }

    func count() { number.wrappingAdd(1, ordering: .relaxed) }
}

extension Result where Success == Void {
    fileprivate var problem: String? {
        if case .failure(let error) = self { "\(error)" } else { nil }
    }
}
#endif
