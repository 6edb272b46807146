#if canImport(Glibc)
import Foundation
import Glibc
import Skiathos
import SkiathosCore
import SkiathosStore
import SkiathosTesting

/// A store in a process whose calls of the system fail, once or for ever, while it is opened,
/// written, read, backed up, restored and closed.
struct CallFaultRun {
    let fault: CallFault?
    let scene: CallFault.Scene
    let control: CallFaultControl
    let base: FaultBase

    /// What has come of a run.
    struct Result {
        var hasFailed = false
        var problems: [String] = []
        /// The errors, each with the call that has met it.
        var said: Set<String> = []
    }

    /// The number of the only write in the backup that is restored.
    private static let restored = 1000

    func run() async throws -> Result {
        let directory = try TemporaryDirectory()
        var result = Result()
        var attempts = FaultAttempts([])
        if scene != .creation {
            try base.write(to: directory.path)
            attempts = FaultAttempts(base.numbers)
        }
        attempts.allowsEveryCode = true
        if scene == .restoring { try await makeBackup(directory.file("kept.sqlite")) }
        control.arm(directory.path, fault)
        switch scene {
        case .creation, .recovery: try await write(directory, &attempts, &result)
        case .restoring: try await restore(directory, &attempts, &result)
        }
        result.problems += attempts.problems
        return result
    }

    private func open(
        _ directory: TemporaryDirectory, _ failures: FailureList
    ) async throws -> DataAccessLayer {
        var configuration = Configuration()
        configuration.readerCount = 2
        configuration.checkpointSize = 30_000
        configuration.errorHandler = { failures.note($0) }
        return try await DataAccessLayer.open(
            .sqlite(directory.file(Volume.storeName)), entities: Item.self,
            configuration: configuration)
    }

    private func makeBackup(_ path: String) async throws {
        let dal = try await DataAccessLayer.open(.sqlite(path), entities: Item.self)
        try await dal.write { context in
            for part in 0..<3 {
                try Item.create(id: Item.ID(rawValue: "restored-\(part)"), in: context) {
                    $0.sequence = Self.restored
                }
            }
        }
        try await dal.close()
    }

    private func write(
        _ directory: TemporaryDirectory, _ attempts: inout FaultAttempts, _ result: inout Result
    ) async throws {
        let failures = FailureList()
        let copy = directory.file("copy.sqlite")
        var copied: Set<Int>?
        do {
            let dal = try await open(directory, failures)
            for number in 0..<6 {
                let level = Acknowledgement.allCases[number % 3]
                if let error = await attempts.write(dal, level, isExclusive: number == 4) {
                    judge(error, "write", &result)
                }
            }
            do {
                attempts.check(try await attempts.numbers(in: dal), "a read")
            } catch {
                judge(error, "read", &result)
            }
            for isOverwriting in [false, true] {
                do {
                    try await dal.backUp(to: copy, overwriting: isOverwriting)
                    copied = attempts.lasting
                } catch {
                    judge(error, "backup", &result)
                }
            }
            do { try await dal.close() } catch { judge(error, "close", &result) }
        } catch {
            judge(error, "open", &result)
        }
        for failure in failures.all { judge(failure.error, "\(failure.operation)", &result) }
        end(&result)
        attempts.settle(failures)
        await checkCopy(copy, copied, &result)
        await reopen(directory, &attempts, &result)
    }

    private func restore(
        _ directory: TemporaryDirectory, _ attempts: inout FaultAttempts, _ result: inout Result
    ) async throws {
        let failures = FailureList()
        var isRestored = false
        do {
            let dal = try await open(directory, failures)
            do {
                try await dal.restore(from: directory.file("kept.sqlite"))
                isRestored = true
            } catch {
                judge(error, "restore", &result)
            }
            do { try await dal.close() } catch { judge(error, "close", &result) }
        } catch {
            judge(error, "open", &result)
        }
        for failure in failures.all { judge(failure.error, "\(failure.operation)", &result) }
        end(&result)
        do {
            let dal = try await open(directory, FailureList())
            let numbers = try await attempts.numbers(in: dal)
            if numbers != [Self.restored], isRestored || numbers != base.numbers {
                result.problems.append("Restored: \(isRestored); there are the writes \(numbers).")
            }
            result.problems += try await dal.integrityProblems()
            try await dal.close()
        } catch {
            result.problems.append("The store cannot be opened again: \(error)")
        }
    }

    private func end(_ result: inout Result) {
        control.disarm()
        result.hasFailed = control.failures > 0
    }

    /// A backup leads to nothing, or to a whole store.
    private func checkCopy(_ path: String, _ copied: Set<Int>?, _ result: inout Result) async {
        guard access(path, F_OK) == 0 else {
            if copied != nil { result.problems.append("A backup that has succeeded is not there.") }
            return
        }
        do {
            let dal = try await DataAccessLayer.open(.sqlite(path), entities: Item.self)
            result.problems += try await dal.integrityProblems()
            var attempts = FaultAttempts([])
            let numbers = try await attempts.numbers(in: dal)
            if let copied, !copied.isSubset(of: numbers) {
                result.problems.append("The backup has \(numbers) of \(copied).")
            }
            try await dal.close()
        } catch {
            result.problems.append("The backup cannot be opened: \(error)")
        }
    }

    private func reopen(
        _ directory: TemporaryDirectory, _ attempts: inout FaultAttempts, _ result: inout Result
    ) async {
        do {
            let failures = FailureList()
            let dal = try await open(directory, failures)
            attempts.check(try await attempts.numbers(in: dal), "the store opened again")
            result.problems += try await dal.integrityProblems()
            if let error = await attempts.write(dal, .durable) {
                result.problems.append("Opening again has not healed the store: \(error)")
            }
            try await dal.close()
            attempts.settle(failures)
        } catch {
            result.problems.append("The store cannot be opened again: \(error)")
        }
    }

    /// Makes sure that an error is one that a program can act on, and says something true.
    private func judge(_ error: any Error, _ phase: String, _ result: inout Result) {
        if let error = error as? DataAccessError, error.code == .transactionLost { return }
        guard let fault, let error = error as? StoreError else {
            result.problems.append("During \(phase) came an error without a name: \(error)")
            return
        }
        result.said.insert("\(phase), \(fault.call), \(fault.number): \(error)")
        guard fault.codes.contains(error.code) else {
            result.problems.append("During \(phase) came the wrong error: \(error)")
            return
        }
    }
}

extension CallFault {
    /// The codes that tell the truth about it.
    fileprivate var codes: Set<StoreError.Code> {
        switch (number, call) {
        // SQLite takes a page that the disk cannot read for damage.
        case (.inputOutput, .read): [.inputOutput, .damaged]
        // SQLite takes a lock that it does not get for one of another process.
        case (_, .lock): [.inputOutput, .busy]
        case (.inputOutput, _), (.noMemory, _): [.inputOutput]
        case (.signal, _): [.inputOutput]
        case (.noSpace, _): [.diskFull, .inputOutput]
        // A shortage that has passed cannot be distinguished from another failure.
        case (.noDescriptor, _): [StoreError.Code(rawValue: "tooManyOpenFiles"), .inputOutput]
        case (.noAccess, _), (.readOnly, _): [.notPermitted, .readOnly, .inputOutput]
        }
    }
}
#endif
