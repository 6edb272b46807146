import Foundation
import ReliabilityKit
import Skiathos
import SkiathosLocks
import SkiathosStore
import Synchronization
import TestTools

/// Writes in all forms and at all levels, until writes are refused.
struct Workload: Sendable {
    let plan: ChildPlan
    let dal: DataAccessLayer
    let tally: Tally
    let signals: SignalObserver?
    var ledger: Ledger { plan.ledger }
    /// The largest number of concurrent writes with a completion of one writer.
    static let most = 8

    init(plan: ChildPlan, dal: DataAccessLayer, tally: Tally, signals: SignalObserver?) {
        self.plan = plan
        self.dal = dal
        self.tally = tally
        self.signals = signals
    }

    /// Lines writes up as the plan says, and then has tasks and threads write.
    func run() async throws {
        try await takeTurn()
        var random = SeededNumbers(seed: plan.seed)
        for number in 0..<plan.queued {
            if number % 2 == 0 { enqueue() } else { submit(Self.level(&random)) }
        }
        // Where closures hold all threads, the last of them says so.
        if plan.turn != .crowded { ProtocolLine.reached(.queued).say() }
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<plan.writers {
                let random = SeededNumbers(seed: plan.seed &+ UInt64(writer) + 1)
                // A blocking call needs a thread that no task is waiting for. Cancelling does not end
                // it, so it is not awaited then, and writes until it is refused.
                group.addTask {
                    let (ends, end) = AsyncStream.makeStream(of: Void.self)
                    Thread.detachNewThread {
                        block(random)
                        end.finish()
                    }
                    for await _ in ends {}
                }
                group.addTask { await wait(random) }
                group.addTask { await complete(random) }
            }
            if plan.host == .unmanaged { group.addTask { await flush() } }
            if plan.turn == .querying { group.addTask { await tellWhenStopping() } }
        }
        // Until it is cancelled: work that has ended stops its reactor.
        for await _ in AsyncStream<Never>.makeStream().stream {}
    }

    private static func level(_ random: inout SeededNumbers) -> Acknowledgement {
        Acknowledgement.allCases[random.happens(15) ? 2 : random.below(2)]
    }

    private func wait(_ random: SeededNumbers) async {
        var random = random
        while true {
            let level = Self.level(&random)
            guard tally.issue(.awaited) else { return }
            do {
                let number = try await dal.write(acknowledging: level) { [ledger] context in
                    try ledger.write(in: context)
                }
                tally.done(.awaited, level, number)
            } catch {
                return tally.refused(.awaited, error)
            }
            if random.happens(20) {
                guard let seen = try? await Ledger.number(in: dal) else { return }
                tally.done(.seen, .committed, seen)
            }
        }
    }

    private func block(_ random: SeededNumbers) {
        var random = random
        while true {
            let level = Self.level(&random)
            guard tally.issue(.blocking) else { return }
            do {
                let number: Int = try dal.write(acknowledging: level) { try ledger.write(in: $0) }
                tally.done(.blocking, level, number)
            } catch {
                return tally.refused(.blocking, error)
            }
        }
    }

    /// Keeps several writes with a completion running at a time.
    private func complete(_ random: SeededNumbers) async {
        var random = random
        var isOpen = true
        while isOpen {
            let levels = (0...random.below(Self.most)).map { _ in Self.level(&random) }
            let (ends, end) = AsyncStream.makeStream(of: Bool.self)
            for level in levels { submit(level) { end.yield($0) } }
            var heard = 0
            for await isDone in ends {
                isOpen = isOpen && isDone
                heard += 1
                if heard == levels.count { break }
            }
            // It was cancelled.
            if heard < levels.count { return }
        }
    }

    private func submit(
        _ level: Acknowledgement, _ then: @escaping @Sendable (_ isDone: Bool) -> Void = { _ in }
    ) {
        guard tally.issue(.completed) else { return then(false) }
        let ledger = ledger
        dal.write(acknowledging: level) {
            try ledger.write(in: $0)
        } completion: { [tally] result in
            switch result {
            case .success(let number): tally.done(.completed, level, number)
            case .failure(let error): tally.refused(.completed, error)
            }
            then((try? result.get()) != nil)
        }
    }

    /// The closure reports its end, and the error handler its refusal.
    private func enqueue(_ note: @escaping @Sendable (Int) -> Void = { _ in }) {
        guard tally.issue(.enqueued) else { return }
        dal.enqueue { [ledger, tally] context in
            let number = try ledger.write(in: context)
            note(number)
            tally.done(.enqueued, .merged, number)
        }
    }

    /// Enqueues some and has them flushed, over and over.
    private func flush() async {
        var random = SeededNumbers(seed: ~plan.seed)
        while true {
            let highest = Highest()
            for _ in 0...random.below(8) { enqueue { highest.note($0) } }
            let level: Acknowledgement = random.happens(20) ? .durable : .committed
            guard (try? await dal.flush(to: level)) != nil else { return }
            tally.done(.flushed, level, highest.number)
        }
    }
}

/// The highest of some numbers, from any thread.
private final class Highest: Sendable {
    private let value = Lock(0)

    var number: Int { value.withLock { $0 } }

    func note(_ number: Int) { value.withLock { $0 = max($0, number) } }
}
