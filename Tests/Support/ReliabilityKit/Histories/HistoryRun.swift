import Skiathos
package import SkiathosStore
import SkiathosTesting

/// A random history of concurrent reads and writes on a real store, checked to be strictly
/// serialisable.
///
/// ```swift
/// let result = try await HistoryRun(seed: 7, source: .inMemory).perform()
/// print(result)
/// ```
///
/// The clients, half of them tasks and half threads, use all forms of the calls and all levels of
/// acknowledgement; some closures throw, and some tasks are cancelled, also when their closures have just
/// thrown. The seed decides what each
/// client does, so the operations can be replayed from it. Their interleaving is the machine's.
package struct HistoryRun: Sendable {
    /// What decides the operations.
    package var seed: UInt64
    /// How many clients work at the same time.
    package var contexts = 8
    /// How many operations each carries out.
    package var operations = 60
    /// Where the store is; it has to be empty.
    package var source: StoreSource
    /// A closure around the store, by which tests plant bugs.
    package var tampering: (@Sendable (any PersistentStore) -> any PersistentStore)?

    package init(
        seed: UInt64, contexts: Int = 8, operations: Int = 60, source: StoreSource,
        tampering: (@Sendable (any PersistentStore) -> any PersistentStore)? = nil
    ) {
        self.seed = seed
        self.contexts = contexts
        self.operations = operations
        self.source = source
        self.tampering = tampering
    }

    /// Runs the history and checks it.
    ///
    /// - Throws: What opening or closing the store throws, or `UnsoundStore`.
    package func perform() async throws -> HistoryResult {
        let plan = HistoryPlan(seed: seed, contexts: contexts, operations: operations)
        let witness = plan.isCounted ? Witness() : nil
        let journal = Journal(witness: witness, defaultLevel: plan.level)
        var configuration = plan.configuration
        configuration.errorHandler = { failure in
            if failure.error is RefusedOperation { return }
            journal.note(.failure, "\(failure.operation): \(failure.error)")
        }
        // The witness stands next to the store, where it sees what tampering does.
        let source = source.mapped { [tampering] store in
            let watched = witness?.watching(store) ?? store
            return plan.interruptions.of(tampering?(watched) ?? watched)
        }
        try await withStore(
            source, entities: Register.self, ListEntry.self, configuration: configuration
        ) { dal in
            try await Self.createRegisters(dal)
            await run(plan, dal, journal)
        }
        return HistoryResult(run: self, history: journal.operations, noted: journal.violations)
    }

    private static func createRegisters(_ dal: DataAccessLayer) async throws {
        let numbers = Array(1...HistoryPlan.registers) + [Int(Register.counter.rawValue)]
        try await dal.write { context in
            for number in numbers {
                try Register.create(id: Register.ID(rawValue: Int64(number)), in: context)
            }
        }
    }

    private func run(_ plan: HistoryPlan, _ dal: DataAccessLayer, _ journal: Journal) async {
        await withTaskGroup(of: Void.self) { group in
            for (number, operations) in plan.clients.enumerated() {
                let client = HistoryClient(dal: dal, journal: journal, operations: operations)
                group.addTask {
                    if HistoryPlan.isThread(number) {
                        await client.runOnThread()
                    } else {
                        await client.run()
                    }
                }
            }
        }
        await HistoryClient(dal: dal, journal: journal, operations: finalOperations(plan)).run()
    }

    /// What remains to be done when the clients have ended: a flush, and a read of everything, which
    /// shows what is lost.
    private func finalOperations(_ plan: HistoryPlan) -> [PlannedOperation] {
        let count = contexts * operations
        var read = PlannedOperation(number: count + 1, client: contexts, form: .read)
        read.isCounted = plan.isCounted
        read.steps = (0..<plan.listCount).map { .readList($0) }
        read.steps.append(.readRegisters(Array(1...HistoryPlan.registers)))
        return [
            PlannedOperation(number: count, client: contexts, form: .flush, level: .durable), read,
        ]
    }
}
