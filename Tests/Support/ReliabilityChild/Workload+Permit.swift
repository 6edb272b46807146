import Foundation
import ReliabilityKit
import Skiathos

/// Who has the write permit while others queue.
extension Workload {
    /// Has a write acquire the permit, and keep it as the plan says.
    ///
    /// Before a crowd comes, the write has ended: a second signal may lose what has not.
    func takeTurn() async throws {
        guard plan.turn != .free else { return }
        let (began, begin) = AsyncStream.makeStream(of: Void.self)
        let (turn, signals, ledger) = (plan.turn, signals, ledger)
        // One that never ends has no outcome, and is not counted.
        if turn != .endless, !tally.issue(.completed) { return }
        dal.write(acknowledging: .durable) { context in
            if turn != .crowded { begin.finish() }
            switch turn {
            case .free, .crowded: break
            case .untilSignal: signals?.wait()
            case .endless: DispatchSemaphore(value: 0).wait()
            case .querying: while true { _ = try Item.count(in: context) }
            }
            return try ledger.write(in: context)
        } completion: { [tally] result in
            switch result {
            case .success(let number): tally.done(.completed, .durable, number)
            case .failure(let error): tally.refused(.completed, error)
            }
            begin.finish()
        }
        for await _ in began {}
        if turn == .crowded { await crowd() }
    }

    /// Has closures that never end take all threads of tasks but the one that this runs on, and
    /// then that one.
    private func crowd() async {
        let count = ProcessInfo.processInfo.activeProcessorCount
        let arrived = Counter()
        for _ in 0..<count {
            Task.detached { [dal] in
                try await dal.read { _ -> Void in
                    if arrived.next() == count - 1 { ProtocolLine.reached(.queued).say() }
                    DispatchSemaphore(value: 0).wait()
                }
            }
        }
    }

    /// Tells when the work was asked to stop, or the store has begun to: nothing else shows it.
    func tellWhenStopping() async {
        while (try? await dal.read({ _ in })) != nil { await Task.yield() }
        ProtocolLine.reached(.stopping).say()
    }
}
