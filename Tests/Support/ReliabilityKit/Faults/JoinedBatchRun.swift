import Dispatch
import Skiathos
import SkiathosCore
import SkiathosLocks
import SkiathosStore
import SkiathosTesting
import Synchronization

/// Small writes that join open batches, most of them without a savepoint, while the disk of their
/// store fails.
///
/// A write that fails changes nothing. The others of its batch either are committed, or were reported
/// as lost: to the caller, or to the error handler with their rows.
package struct JoinedBatchRun: Sendable {
    /// What fails.
    package var trouble: JoinedBatchTrouble
    /// A mistake in the store.
    package var bug: PlantedInsertionBug?
    private let base: JoinedBatchBase

    package init(
        _ trouble: JoinedBatchTrouble, _ base: JoinedBatchBase, bug: PlantedInsertionBug? = nil
    ) {
        self.trouble = trouble
        self.base = base
        self.bug = bug
    }

    /// What has come of a run.
    package struct Result: Sendable {
        /// Whether anything was made to fail.
        package var hasFailed = false
        /// How many operations there were of the kind that fails.
        package var operations = 0
        /// How many batches with returned writes were lost.
        package var lostBatches = 0
        /// What is wrong, in sentences.
        package var problems: [String] = []
    }

    private static let kinds: [JoinedWrite.Kind] = [
        .row, .row, .repeated, .row, .dangling, .pair, .row, .cancelled, .row, .dangling, .change,
        .row, .repeated,
    ]
    private static let writes = 52
    /// After so many writes, some wait for their commit together.
    private static let groups = 9

    package func run() async throws -> Result {
        let directory = try TemporaryDirectory()
        try base.write(to: directory.path)
        let volume = try Volume(directory.path)
        volume.record(false)
        let failures = FailureList()
        var model = JoinedBatchModel()
        var result = Result()
        let dal = try await open(volume, failures)
        for number in 0..<Self.writes {
            // The first opens a batch.
            if number == 1 { try trouble.begin(volume) }
            if number % Self.groups == Self.groups - 1 {
                await writeTogether(dal, number, volume, &model)
            } else {
                await write(dal, number, volume, &model)
            }
        }
        result.hasFailed = trouble.hasFailed(volume)
        result.operations = trouble.operations(volume)
        try trouble.end(volume)
        // Pages of a file that was damaged stay in the caches.
        if !trouble.isDamage { await check(dal, failures, &model) }
        result.lostBatches = failures.all.count { $0.operation == .commit }
        // Its result is that of the faults.
        try? await dal.close()
        await reopen(volume, failures, &model)
        result.problems = model.problems
        return result
    }

    private func open(_ volume: Volume, _ failures: FailureList) async throws -> DataAccessLayer {
        var configuration = Configuration()
        configuration.acknowledgement = .merged
        configuration.commitInterval = .seconds(3600)
        configuration.readerCount = 1
        // Pages leave the cache before the commit, and are read again.
        configuration.cacheSize = 40_000
        configuration.errorHandler = { failures.note($0) }
        var source = StoreSource.sqlite(volume.path)
        if let bug { source = source.mapped { bug.store(over: $0) } }
        return try await DataAccessLayer.open(
            source, entities: Team.self, Player.self, configuration: configuration)
    }

    private func write(
        _ dal: DataAccessLayer, _ number: Int, _ volume: Volume, _ model: inout JoinedBatchModel
    ) async {
        let write = JoinedWrite(
            number: number, kind: Self.kinds[number % Self.kinds.count], level: .merged)
        // A task of its own, which may be cancelled.
        let task = Task { try await dal.write { try write.run(in: $0) } }
        model.add(write, await task.result, isSound: !trouble.hasFailed(volume))
    }

    /// Writes that are queued behind one, and share its commit.
    private func writeTogether(
        _ dal: DataAccessLayer, _ number: Int, _ volume: Volume, _ model: inout JoinedBatchModel
    ) async {
        let kinds: [JoinedWrite.Kind] = [.row, .dangling, .row, .repeated, .row]
        let writes = kinds.enumerated().map { index, kind in
            JoinedWrite(
                number: 100 + number * 5 + index, kind: kind,
                level: [.merged, .committed, .committed, .durable, .durable][index])
        }
        let results = Lock<[Int: Swift.Result<[Player.ID], any Error>]>([:])
        let outstanding = DispatchGroup()
        let leader = JoinedWrite(number: number, kind: .row, level: .merged)
        let first = await Task {
            try await dal.write { context in
                for (index, write) in writes.enumerated() {
                    outstanding.enter()
                    dal.write(acknowledging: write.level) {
                        try write.run(in: $0)
                    } completion: { result in
                        results.withLock { $0[index] = result }
                        outstanding.leave()
                    }
                }
                return try leader.run(in: context)
            }
        }.result
        await withContinuation { done in
            outstanding.notify(queue: .global()) { done.resume() }
        }
        let isSound = !trouble.hasFailed(volume)
        model.add(leader, first, isSound: isSound)
        for (index, write) in writes.enumerated() {
            guard let result = results.withLock({ $0[index] }) else { continue }
            model.add(write, result, isSound: isSound)
        }
    }

    /// Compares what is there with the answers, while the disk works.
    private func check(
        _ dal: DataAccessLayer, _ failures: FailureList, _ model: inout JoinedBatchModel
    ) async {
        do {
            let ranks = try await Self.ranks(in: dal)
            model.check(ranks, failures, isReopened: false)
            if !failures.isPoison {
                try await dal.write(acknowledging: .committed) {
                    _ = try Player.create(in: $0) { $0.name = "last" }
                }
            }
        } catch {
            model.add("The store does not work when the disk does: \(error)")
        }
    }

    private func reopen(
        _ volume: Volume, _ failures: FailureList, _ model: inout JoinedBatchModel
    ) async {
        do {
            let dal = try await DataAccessLayer.open(
                .sqlite(volume.path), entities: Team.self, Player.self)
            model.check(
                try await Self.ranks(in: dal), failures, isReopened: !trouble.isDamage)
            for problem in try await dal.integrityProblems() { model.add(problem) }
            try await dal.close()
        } catch {
            model.add("The store cannot be opened again: \(error)")
        }
    }

    private static func ranks(in dal: DataAccessLayer) async throws -> [String: Int] {
        let players: [Player] = try await dal.read { try Player.all(in: $0) }
        return Dictionary(players.map { ($0.name, $0.rank) }, uniquingKeysWith: { $1 })
    }
}
