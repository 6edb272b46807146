import SkiathosStore
import TestSupport
import Testing

@testable import SkiathosCore

struct CommitStateMachineTests {
    private typealias Machine = CommitStateMachine<Int>

    @Test func `a write with no other behind it commits at once`() {
        var machine = Machine(limit: 10)
        #expect(machine.merge(1, needsSync: false, othersWait: false) == .commit)
        #expect(machine.takeBatch()?.awaitingCommit == [1])
        #expect(machine.takeBatch() == nil)
    }

    @Test func `a lone write takes its batch, which counts as waited for`() throws {
        var machine = Machine(limit: 10)
        let taken = machine.mergeLone(othersWait: false, delay: .toExpected)
        let batch = try #require(taken)
        #expect(batch.count == 1 && batch.awaited == 1 && !batch.isAwaited)
        #expect(machine.isCommitting && !machine.hasBatch && machine.batches == 1)
        machine.committed(batch)
        #expect(!machine.isCommitting && machine.commits == 1)
        #expect(!machine.isDurable)
    }

    @Test func `a write is not alone where others are queued, expected or merged`() {
        var machine = Machine(limit: 10)
        #expect(machine.mergeLone(othersWait: true, delay: .never) == nil)
        commitTogether(2, &machine)
        #expect(machine.mergeLone(othersWait: false, delay: .toExpected) == nil)
        #expect(machine.mergeLone(othersWait: false, delay: .toAll) == nil)
        _ = machine.merge(nil, needsSync: false, othersWait: false)
        #expect(machine.mergeLone(othersWait: false, delay: .never) == nil)
        #expect(machine.takeBatch()?.count == 1)
    }

    @Test func `writes with others behind them leave the commit to the last`() {
        var machine = Machine(limit: 10)
        #expect(machine.merge(1, needsSync: false, othersWait: true) == .wakeLater)
        #expect(machine.merge(2, needsSync: true, othersWait: true) == .none)
        #expect(machine.merge(3, needsSync: false, othersWait: false) == .commit)
        let batch = machine.takeBatch()
        #expect(batch?.awaitingCommit == [1, 3])
        #expect(batch?.awaitingSync == [2])
        #expect(batch?.count == 3)
    }

    private func commitBatch(_ machine: inout Machine) {
        if let batch = machine.takeBatch() { machine.committed(batch) }
    }

    /// Has a number of writes committed together.
    private func commitTogether(_ count: Int, inLine: Int = 0, _ machine: inout Machine) {
        for waiter in 0..<count {
            _ = machine.merge(waiter, needsSync: false, othersWait: true)
        }
        if let batch = machine.takeBatch() { machine.committed(batch, inLine: inLine) }
    }

    @Test func `only a sync that began after the commit makes what was merged durable`() {
        var machine = Machine(limit: 10)
        #expect(machine.isDurable)
        _ = machine.merge(1, needsSync: true, othersWait: false)
        #expect(!machine.isDurable)
        commitBatch(&machine)
        #expect(!machine.isDurable)
        _ = machine.beginSync()
        // Another one is committed while the first is synced.
        _ = machine.merge(2, needsSync: true, othersWait: false)
        commitBatch(&machine)
        _ = machine.endSync(nil)
        #expect(!machine.isDurable)
        _ = machine.beginSync()
        _ = machine.endSync(nil)
        #expect(machine.isDurable)
        machine.committedAlone()
        #expect(!machine.isDurable)
        machine.awaitSync(3)
        _ = machine.beginSync()
        _ = machine.endSync(StoreError(.inputOutput, "The WAL could not be synced."))
        #expect(!machine.isDurable)
    }

    @Test func `a writer that is always alone has no commit delay`() {
        var machine = Machine(limit: 10)
        for _ in 0..<2 {
            for delay in [Machine.CommitDelay.never, .toExpected, .toAll] {
                let action = machine.merge(
                    1, needsSync: false, othersWait: false, delay: delay)
                #expect(action == .commit)
                if let batch = machine.takeBatch() { machine.committed(batch) }
            }
        }
    }

    @Test func `a commit is delayed for as many writes as were committed or queued with the last`()
    {
        var machine = Machine(limit: 10)
        commitTogether(2, inLine: 1, &machine)
        func merge(_ waiter: Int, _ delay: Machine.CommitDelay) -> Machine.Action {
            machine.merge(waiter, needsSync: false, othersWait: false, delay: delay)
        }
        #expect(merge(1, .toExpected) == .none)
        #expect(merge(2, .toAll) == .none)
        #expect(merge(3, .toExpected) == .commit)
        commitTogether(0, &machine)
        // A waiter that can find out whether there are more does so.
        for waiter in 1...4 { #expect(merge(waiter, .toAll) != .commit) }
        #expect(merge(5, .never) == .commit)
    }

    @Test func `a batch whose expected siblings do not come commits, and expects fewer`() {
        var machine = Machine(limit: 10)
        #expect(machine.delayEnded(since: 0, othersWait: false, .toExpected) == .none)
        commitTogether(3, &machine)
        _ = machine.merge(1, needsSync: false, othersWait: false, delay: .toExpected)
        #expect(machine.delayEnded(since: 1, othersWait: true, .toExpected) == .none)
        #expect(machine.delayEnded(since: 1, othersWait: false, .toExpected) == .commit)
        commitTogether(0, &machine)
        #expect(machine.delayEnded(since: 2, othersWait: false, .toExpected) == .none)
        let action = machine.merge(1, needsSync: false, othersWait: false, delay: .toExpected)
        #expect(action == .commit)
    }

    @Test func `a write whose batch was committed meanwhile leaves the next batch to its members`()
    {
        var machine = Machine(limit: 10)
        commitTogether(2, &machine)
        _ = machine.merge(1, needsSync: true, othersWait: false, delay: .toAll)
        let left = machine.batches
        commitTogether(1, &machine)
        _ = machine.merge(2, needsSync: true, othersWait: true)
        #expect(machine.delayEnded(since: left, othersWait: false, .toAll) == .none)
        #expect(machine.delayEnded(since: machine.batches, othersWait: false, .toAll) == .commit)
    }

    @Test func `one write of a batch yields for all, and the next one when it could not commit`() {
        var machine = Machine(limit: 10)
        commitTogether(3, &machine)
        func merge(_ waiter: Int, _ delay: Machine.CommitDelay = .toAll) -> Bool {
            let action = machine.merge(waiter, needsSync: false, othersWait: false, delay: delay)
            return action != .commit && machine.beginDelay(delay)
        }
        #expect(merge(1))
        #expect(!merge(2))
        // A thread can do no more than to look now and then, and does so itself.
        #expect(merge(3, .toExpected) == false)
        #expect(machine.delayEnded(since: machine.batches, othersWait: true, .toAll) == .none)
        #expect(merge(4))
        #expect(!merge(5))
        commitBatch(&machine)
        #expect(merge(6))
        #expect(machine.delayEnded(since: machine.batches, othersWait: false, .toAll) == .commit)
    }

    /// Writes of tasks that come, wait for the permit, yield and go in any order.
    @Test func `no write waits for the interval while none has the permit, is queued or yields`() {
        for seed in 0..<300 as Range<UInt64> {
            var generator = SeededNumbers(seed: seed)
            var machine = Machine(limit: 50)
            var queued = 0
            var isHeld = false
            var delays: [Int] = []
            var waiting: Set<Int> = []
            func run(_ action: Machine.Action) {
                guard action == .commit, let batch = machine.takeBatch() else { return }
                waiting.subtract(batch.awaitingCommit)
                machine.committed(batch, inLine: queued)
            }
            func end(_ waiter: Int, merges: Bool) {
                if merges {
                    let isCrowded = queued > 0
                    waiting.insert(waiter)
                    let action = machine.merge(
                        waiter, needsSync: false, othersWait: isCrowded, delay: .toAll)
                    if action != .commit, !isCrowded, machine.beginDelay(.toAll) {
                        delays.append(machine.batches)
                    }
                    run(action)
                }
                isHeld = queued > 0
                if isHeld { queued -= 1 }
                if !merges { run(machine.permitReleased(othersWait: isHeld)) }
            }
            for step in 0..<200 {
                switch Int.random(in: 0..<5, using: &generator) {
                case 0, 1:
                    if isHeld { queued += 1 }
                    isHeld = true
                case 2, 3:
                    guard isHeld else { continue }
                    end(step, merges: Int.random(in: 0..<4, using: &generator) > 0)
                default:
                    guard !delays.isEmpty else { continue }
                    let number = delays.remove(
                        at: Int.random(in: 0..<delays.count, using: &generator))
                    run(machine.delayEnded(since: number, othersWait: isHeld, .toAll))
                }
                if !isHeld, delays.isEmpty { #expect(waiting.isEmpty, "seed \(seed)") }
                let yielding = delays.count { $0 == machine.batches }
                #expect(yielding <= 1, "seed \(seed)")
            }
        }
    }

    @Test func `a task that has let all others run commits during a sync, a thread does not`() {
        for delay in [Machine.CommitDelay.toExpected, .toAll] {
            var machine = Machine(limit: 10)
            commitTogether(2, &machine)
            machine.awaitSync(1)
            _ = machine.beginSync()
            _ = machine.merge(2, needsSync: true, othersWait: false, delay: delay)
            let isDelayed = machine.beginDelay(delay)
            #expect(isDelayed)
            let action = machine.delayEnded(since: machine.batches, othersWait: false, delay)
            #expect((action == .commit) == (delay == .toAll))
            if action == .commit { commitBatch(&machine) }
            _ = machine.endSync(nil, served: 1)
            // What is committed is synced without waiting for others.
            #expect(machine.isSyncAwaited == (delay == .toAll))
        }
    }

    @Test func `a commit waits for no write that has returned`() {
        var machine = Machine(limit: 10)
        for _ in 0..<3 { _ = machine.merge(nil, needsSync: false, othersWait: false) }
        if let batch = machine.takeBatch() { machine.committed(batch) }
        let action = machine.merge(1, needsSync: false, othersWait: false, delay: .toAll)
        #expect(action == .commit)
    }

    @Test func `writes that a sync has served are expected to come back together`() {
        var machine = Machine(limit: 10)
        for waiter in 1...2 {
            _ = machine.merge(waiter, needsSync: true, othersWait: false)
            if let batch = machine.takeBatch() { machine.committed(batch) }
        }
        #expect(served(machine.beginSync()) == [1, 2])
        _ = machine.endSync(nil, served: 2)
        func merge(_ waiter: Int) -> Machine.Action {
            machine.merge(waiter, needsSync: true, othersWait: false, delay: .toExpected)
        }
        #expect(merge(3) == .wakeLater)
        #expect(merge(4) == .commit)
    }

    @Test func `a permit that is released without a merge makes the commit that others rely on`() {
        var machine = Machine(limit: 10)
        #expect(machine.permitReleased(othersWait: false) == .none)
        _ = machine.merge(1, needsSync: false, othersWait: true)
        #expect(machine.permitReleased(othersWait: true) == .none)
        #expect(machine.permitReleased(othersWait: false) == .commit)
    }

    @Test func `reads see what a closure without changes may have seen`() throws {
        var machine = Machine(limit: 10)
        machine.hasRead()
        #expect(!machine.hasReturnedWrites)
        _ = machine.merge(1, needsSync: false, othersWait: true)
        _ = machine.permitReleased(othersWait: true)
        #expect(!machine.hasReturnedWrites)
        machine.hasRead()
        #expect(machine.hasReturnedWrites)
        let taken = machine.takeBatch()
        let batch = try #require(taken)
        machine.committed(batch)
        #expect(!machine.hasReturnedWrites)
    }

    @Test func `what a closure may have seen counts while it is being committed`() throws {
        var machine = Machine(limit: 10)
        _ = machine.merge(1, needsSync: false, othersWait: true)
        let taken = machine.takeBatch()
        let batch = try #require(taken)
        machine.hasRead()
        #expect(machine.hasReturnedWrites)
        machine.committed(batch)
        #expect(!machine.hasReturnedWrites)
        machine.hasRead()
        #expect(!machine.hasReturnedWrites)
    }

    @Test func `writes that return at once wait for the interval`() {
        var machine = Machine(limit: 10)
        #expect(!machine.hasReturnedWrites)
        #expect(machine.merge(nil, needsSync: false, othersWait: false) == .wakeLater)
        #expect(machine.merge(nil, needsSync: false, othersWait: false) == .none)
        #expect(machine.hasReturnedWrites)
        #expect(machine.wokeUp() == .commit)
        let batch = machine.takeBatch()
        #expect(batch?.returned == 2)
        // Until the commit is made, a read that begins has to wait for it.
        #expect(machine.hasReturnedWrites)
        if let batch { machine.committed(batch) }
        #expect(!machine.hasReturnedWrites)
        #expect(machine.wokeUp() == .none)
        #expect(machine.merge(nil, needsSync: false, othersWait: false) == .wakeLater)
    }

    @Test func `a full batch is committed even while others wait`() {
        var machine = Machine(limit: 2)
        #expect(machine.merge(nil, needsSync: false, othersWait: true) == .wakeLater)
        #expect(machine.merge(nil, needsSync: false, othersWait: true) == .commit)
    }

    @Test func `a write with a transaction of its own is no batch before it is merged`() {
        var machine = Machine(limit: 10)
        machine.beginExclusive()
        #expect(machine.isExclusive)
        #expect(machine.takeBatch() == nil)
        #expect(machine.wokeUp() == .none)
        machine.endExclusive()
        machine.beginExclusive()
        _ = machine.merge(1, needsSync: false, othersWait: true)
        #expect(!machine.isExclusive)
        #expect(machine.takeBatch()?.awaitingCommit == [1])
    }

    @Test func `a sync serves all that were committed before it`() {
        var machine = Machine(limit: 10)
        for waiter in 1...3 {
            _ = machine.merge(waiter, needsSync: true, othersWait: false)
            if let batch = machine.takeBatch() { machine.committed(batch) }
        }
        #expect(machine.isSyncAwaited)
        #expect(served(machine.beginSync()) == [1, 2, 3])
        // A waiter that arrives while it runs is served by the next one.
        #expect(machine.isSyncAwaited)
        machine.awaitSync(4)
        #expect(served(machine.beginSync()) == nil)
        #expect(machine.endSync(nil) == true)
        #expect(served(machine.beginSync()) == [4])
        #expect(machine.endSync(nil) == false)
        #expect(!machine.isSyncAwaited)
        #expect(machine.commits == 3)
    }

    @Test func `no write is acknowledged as durable after a failed sync`() {
        var machine = Machine(limit: 10)
        machine.awaitSync(1)
        #expect(served(machine.beginSync()) == [1])
        machine.awaitSync(2)
        #expect(machine.endSync(StoreError(.inputOutput, "The first.")) == true)
        #expect(machine.fail(StoreError(.inputOutput, "The second.")) == false)
        for waiter in 2...3 {
            guard case .refuse(let refused, let failure) = machine.beginSync() else {
                Issue.record("It was served.")
                return
            }
            #expect(refused == [waiter])
            #expect(failure.message == "The first.")
            #expect(!machine.isSyncAwaited)
            machine.awaitSync(3)
        }
        #expect(machine.planCheckpoint() == false)
    }

    @Test func `one checkpoint is planned at a time`() {
        var machine = Machine(limit: 10)
        #expect(machine.planCheckpoint() == true)
        #expect(machine.planCheckpoint() == false)
        machine.checkpointEnded()
        #expect(machine.planCheckpoint() == true)
    }

    @Test func `a lone writer probes for others now and then, if that takes no time`() {
        var machine = Machine(limit: 10)
        func waits(_ delay: Machine.CommitDelay) -> Int {
            (0..<320).count { _ in
                let action = machine.merge(
                    1, needsSync: false, othersWait: false, delay: delay)
                if let batch = machine.takeBatch() { machine.committed(batch) }
                return action != .commit
            }
        }
        #expect(waits(.toExpected) == 0)
        #expect(waits(.toAll) == 10)
    }

    @Test func `a write that waits for a sync alone is committed at the end of the one that runs`()
    {
        var machine = Machine(limit: 10)
        machine.awaitSync(1)
        _ = machine.beginSync()
        #expect(machine.merge(2, needsSync: true, othersWait: false) == .wakeLater)
        #expect(machine.endSync(nil, served: 1) == true)
        // The one that was served may come back, too.
        #expect(!machine.isComplete)
        #expect(machine.merge(3, needsSync: true, othersWait: false) == .commit)
        #expect(machine.isComplete)
        if let batch = machine.takeBatch() { machine.committed(batch) }
        #expect(machine.isComplete)
        #expect(served(machine.beginSync()) == [2, 3])
        // One that waits for the commit does not wait for the sync.
        #expect(machine.merge(4, needsSync: true, othersWait: false) == .none)
        #expect(machine.merge(5, needsSync: false, othersWait: false) == .commit)
    }

    /// Whom a sync serves.
    private func served(_ sync: Machine.Sync) -> [Int]? {
        if case .run(let waiters) = sync { waiters } else { nil }
    }

    /// Whatever happens in whatever order, the interval ends every wait.
    @Test func `no write waits for ever`() {
        for seed in 0..<200 as Range<UInt64> {
            var generator = SeededNumbers(seed: seed)
            var machine = Machine(limit: 5)
            var waiting: Set<Int> = []
            var wakeUps = 0
            func end(_ batch: Machine.Batch?) {
                guard let batch else { return }
                waiting.subtract(batch.awaitingCommit)
                machine.committed(batch)
            }
            for step in 0..<100 {
                let action: Machine.Action
                switch Int.random(in: 0..<7, using: &generator) {
                case 0..<3:
                    let waiter = Bool.random(using: &generator) ? step : nil
                    let needsSync = Bool.random(using: &generator)
                    if let waiter { waiting.insert(waiter) }
                    let ways = [Machine.CommitDelay.never, .toExpected, .toAll]
                    action = machine.merge(
                        waiter, needsSync: needsSync, othersWait: .random(using: &generator),
                        delay: ways[step % 3])
                case 3:
                    if Bool.random(using: &generator) { machine.hasRead() }
                    action = machine.permitReleased(othersWait: .random(using: &generator))
                case 4:
                    end(machine.takeBatch())
                    machine.beginExclusive()
                    machine.endExclusive()
                    action = .none
                case 5:
                    action = machine.delayEnded(
                        since: machine.batches, othersWait: .random(using: &generator),
                        step.isMultiple(of: 2) ? .toExpected : .toAll)
                default:
                    guard wakeUps > 0 else { continue }
                    wakeUps -= 1
                    action = machine.wokeUp()
                }
                switch action {
                case .commit: end(machine.takeBatch())
                case .wakeLater: wakeUps += 1
                case .none: break
                }
                #expect(wakeUps <= 1, "seed \(seed)")
                if machine.hasBatch { #expect(wakeUps == 1, "seed \(seed)") }
            }
            if wakeUps > 0, machine.wokeUp() == .commit { end(machine.takeBatch()) }
            waiting.subtract(served(machine.beginSync()) ?? [])
            #expect(waiting.isEmpty, "seed \(seed)")
        }
    }
}
