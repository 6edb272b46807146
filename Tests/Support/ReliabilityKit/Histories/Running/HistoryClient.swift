import Dispatch
import Foundation
import Skiathos
import SkiathosLocks

/// Carries out the operations of one client, one after the other, in a task or on a thread.
struct HistoryClient: Sendable {
    let dal: DataAccessLayer
    let journal: Journal
    let operations: [PlannedOperation]
    /// Completions that were not called yet.
    private let outstanding = DispatchGroup()

    init(dal: DataAccessLayer, journal: Journal, operations: [PlannedOperation]) {
        self.dal = dal
        self.journal = journal
        self.operations = operations
    }

    /// Works in the calling task; waiting blocks no thread.
    func run() async {
        for operation in operations {
            let call = journal.call(operation)
            switch operation.form {
            case .read, .write: journal.end(call, await access(call))
            case .completion: submit(call) {}
            case .awaitedCompletion:
                await withContinuation { done in submit(call) { done.resume() } }
            case .enqueue: enqueue(call)
            case .flush:
                let result = await Self.result {
                    try await dal.flush(to: operation.level ?? .durable)
                }
                journal.flushed(call, result)
            }
        }
        await withContinuation { done in
            outstanding.notify(queue: .global()) { done.resume() }
        }
    }

    /// Works on a thread of its own, with the forms of the calls that block.
    func runOnThread() async {
        await withContinuation { done in
            Thread.detachNewThread {
                self.runBlocking()
                done.resume()
            }
        }
    }

    private func runBlocking() {
        for operation in operations {
            let call = journal.call(operation)
            switch operation.form {
            case .read:
                journal.end(
                    call, Result { try dal.read { try operation.run(in: $0, call.notebook) } })
            case .write:
                let result = Result<Void, any Error> {
                    let _: Void = try dal.write(acknowledging: operation.level) {
                        try operation.run(in: $0, call.notebook)
                    }
                }
                journal.end(call, result)
            case .completion: submit(call) {}
            case .awaitedCompletion:
                let done = DispatchSemaphore(value: 0)
                submit(call) { done.signal() }
                done.wait()
            case .enqueue: enqueue(call)
            case .flush:
                journal.flushed(call, Result { try dal.flush(to: operation.level ?? .durable) })
            }
        }
        outstanding.wait()
    }

    private func submit(_ call: Journal.Call, _ done: @escaping @Sendable () -> Void) {
        outstanding.enter()
        dal.write(
            acknowledging: call.operation.level,
            { try call.operation.run(in: $0, call.notebook) },
            completion: { result in
                journal.end(call, result)
                done()
                outstanding.leave()
            })
    }

    private func enqueue(_ call: Journal.Call) {
        dal.enqueue { try call.operation.run(in: $0, call.notebook) }
        journal.enqueued(call)
    }

    /// Reads or writes, in a task that is cancelled if the plan says so.
    private func access(_ call: Journal.Call) async -> Result<Void, any Error> {
        guard call.operation.cancellation != .never else { return await perform(call) }
        let task = Task { await perform(call) }
        switch call.operation.cancellation {
        case .never, .inside: break
        case .soon:
            if call.operation.number % 2 == 0 { await Task.yield() }
            task.cancel()
        case .ending: call.notebook.afterEnd { task.cancel() }
        }
        return await task.value
    }

    private func perform(_ call: Journal.Call) async -> Result<Void, any Error> {
        let operation = call.operation
        return await Self.result {
            if operation.isRead {
                let _: Void = try await dal.read { try operation.run(in: $0, call.notebook) }
            } else {
                let _: Void = try await dal.write(acknowledging: operation.level) {
                    try operation.run(in: $0, call.notebook)
                }
            }
        }
    }

    private static func result(
        _ body: () async throws -> Void
    ) async -> Result<Void, any Error> {
        do { return .success(try await body()) } catch { return .failure(error) }
    }
}
