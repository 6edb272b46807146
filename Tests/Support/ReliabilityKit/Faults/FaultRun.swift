import Skiathos
import SkiathosCore
import SkiathosLocks
package import SkiathosStore
import SkiathosTesting
import Synchronization

/// A store whose disk fails once or for ever while it is opened, written, read and closed.
///
/// Whatever fails, every reported outcome must be true: acknowledged writes exist, uncommitted
/// ones do not, and every write exists as a whole or not at all. Reads and writes continue as
/// soon as the disk works, and nothing counts as durable after a failed sync.
package struct FaultRun: Sendable {
    /// What fails.
    package var fault: Fault
    /// What the store begins with, if it is not new.
    package var base: FaultBase?
    /// Mistakes that are planted in the file system.
    package var lies = Volume.Lies()

    package init(_ fault: Fault, base: FaultBase? = nil) {
        self.fault = fault
        self.base = base
    }

    /// What has come of a run.
    package struct Result: Sendable {
        /// Whether anything was made to fail.
        package var hasFailed = false
        /// How many operations there were of the kind that fails.
        package var operations = 0
        /// Whether the store could not be opened while the disk failed.
        package var isRefused = false
        /// Whether nothing counted as durable at the end.
        package var isPoisoned = false
        /// How many writes were told that they were not committed, committed, or neither for
        /// certain.
        package var outcomes: [StoreError.Outcome: Int] = [:]
        /// What is wrong, in sentences.
        package var problems: [String] = []
    }

    /// How many writes are tried.
    private static let attempts = 14

    /// Lets the disk fail.
    package func run() async throws -> Result {
        let directory = try TemporaryDirectory()
        try base?.write(to: directory.path)
        let volume = try Volume(directory.path)
        volume.record(false)
        volume.lie(lies)
        let failures = FailureList()
        var attempts = FaultAttempts(base?.numbers ?? [], fault)
        var result = Result()
        volume.fail(fault)
        do {
            let dal = try await Self.open(volume, failures)
            await attempt(dal, &attempts)
            result.hasFailed = volume.failures > 0
            result.operations = volume.count(fault.operation, fault.files)
            volume.fail(nil)
            await recover(dal, failures, &attempts, &result)
        } catch {
            result.isRefused = true
            result.hasFailed = volume.failures > 0
            volume.fail(nil)
            attempts.checkRefusal(error)
        }
        await reopen(volume, &attempts)
        result.outcomes = attempts.outcomes
        result.problems = attempts.problems
        return result
    }

    static func open(
        _ volume: Volume, _ failures: FailureList
    ) async throws -> DataAccessLayer {
        var configuration = Configuration()
        // A checkpoint every few writes.
        configuration.checkpointSize = 30_000
        configuration.errorHandler = { failures.note($0) }
        return try await DataAccessLayer.open(
            .sqlite(volume.path), entities: Item.self, configuration: configuration)
    }

    /// Writes and reads while the disk fails.
    private func attempt(_ dal: DataAccessLayer, _ attempts: inout FaultAttempts) async {
        for number in 0..<Self.attempts {
            let level = Acknowledgement.allCases[number % 3]
            await attempts.write(dal, level, isExclusive: number % 5 == 4)
            do {
                attempts.check(try await attempts.numbers(in: dal), "a read")
            } catch  where fault.mayFailReads {
                attempts.checkError(error)
            } catch {
                attempts.problems.append("A read failed though only writing did: \(error)")
            }
        }
        // Whether it works is a matter of the disk.
        try? await dal.flush()
    }

    /// Goes on with the same store after the disk has recovered.
    private func recover(
        _ dal: DataAccessLayer, _ failures: FailureList, _ attempts: inout FaultAttempts,
        _ result: inout Result
    ) async {
        var refusal: (any Error)?
        if !fault.leavesRubbish { refusal = await resume(dal, failures, &attempts) }
        let closing: (any Error)?
        do {
            try await dal.close()
            closing = nil
        } catch {
            closing = error
        }
        // Closing has waited for what ran in the background, so everything is reported.
        attempts.settle(failures)
        result.isPoisoned = failures.isPoison
        if let refusal, !result.isPoisoned {
            attempts.problems.append("Durable writing does not resume: \(refusal)")
        }
        if fault.operation == .sync, result.hasFailed, !result.isPoisoned {
            attempts.problems.append("A sync has failed, and durable writes continue.")
        }
        if (closing != nil) != result.isPoisoned, !fault.leavesRubbish {
            attempts.problems.append(
                "After the failures \(failures.all) closing ended with \(String(describing: closing))."
            )
        }
    }

    /// Writes and reads on a disk that works; returns the error of a durable write.
    private func resume(
        _ dal: DataAccessLayer, _ failures: FailureList, _ attempts: inout FaultAttempts
    ) async -> (any Error)? {
        if let error = await attempts.write(dal, .committed) {
            attempts.problems.append("Writing does not resume: \(error)")
        }
        do {
            attempts.check(try await attempts.numbers(in: dal), "a read afterwards")
        } catch {
            attempts.problems.append("Reading does not resume: \(error)")
        }
        // A checkpoint that began before may still fail, or its failure be reported, in the background.
        let wasPoisoned = failures.isPoison
        let error = await attempts.write(dal, .durable)
        if wasPoisoned, error == nil {
            attempts.problems.append("A write was durable after \(failures.all).")
        }
        return error
    }

    /// Opens the store anew on a disk that works.
    private func reopen(_ volume: Volume, _ attempts: inout FaultAttempts) async {
        do {
            let failures = FailureList()
            let dal = try await Self.open(volume, failures)
            attempts.check(try await attempts.numbers(in: dal), "the store opened anew")
            attempts.problems += try await dal.integrityProblems()
            if let error = await attempts.write(dal, .durable) {
                attempts.problems.append("Opening anew has not healed the store: \(error)")
            }
            try await dal.close()
            attempts.settle(failures)
        } catch {
            attempts.problems.append("The store cannot be opened anew: \(error)")
        }
    }
}

extension Fault {
    /// Whether SQLite takes what it got for the content of a page, and keeps it.
    ///
    /// That is so for a read that gets less than the file has. The store is as good as damaged
    /// until it is opened anew.
    var leavesRubbish: Bool { operation == .read && result == 522 }

    /// Whether reads may fail by it.
    var mayFailReads: Bool {
        switch operation {
        case .read, .open, .sharedMemory, .lock: true
        case .write, .sync, .truncate, .delete: false
        }
    }
}

/// The failures passed to the error handler, from any thread.
final class FailureList: Sendable {
    private let list = Lock<[BackgroundFailure]>([])

    func note(_ failure: BackgroundFailure) { list.withLock { $0.append(failure) } }
    var all: [BackgroundFailure] { list.withLock { $0 } }

    /// Whether nothing may count as durable any more.
    var isPoison: Bool {
        all.contains { failure in
            failure.operation == .sync || failure.operation == .fileCheck
                || failure.operation == .checkpoint
                    && (failure.error as? StoreError)?.isStorageFailure == true
        }
    }

    /// Whether writes that had returned as merged were lost.
    var hasLosses: Bool { all.contains { $0.operation == .commit } }
}
