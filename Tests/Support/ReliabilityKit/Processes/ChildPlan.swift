/// The plan of a child, which its parent passes as arguments.
package struct ChildPlan: Sendable, Hashable {
    /// The part of the child that stops the store.
    package enum Host: String, Sendable, Hashable {
        /// Not stopped: it writes until it is killed.
        case unmanaged
        /// `runUntilTerminated`.
        case reactor
        /// A service group, of which the store is a service, with its own signals and the second
        /// one for haste.
        case group
        /// A service group with another service that does not stop before it is cancelled.
        case hangingGroup
    }

    /// Who has the write permit while others queue.
    package enum Turn: String, Sendable, Hashable {
        /// Whose turn it is.
        case free
        /// A write that waits for the signal.
        case untilSignal
        /// A write that never ends.
        case endless
        /// Closures that never end, on every thread that tasks can have.
        case crowded
        /// A write that asks for more until it is refused.
        case querying
    }

    /// An operation of a file before which something happens.
    package struct Hold: Sendable, Hashable {
        /// What is done; `nil` for anything.
        package var operation: Volume.Operation?
        /// To which files.
        package var files = Volume.Files.all
        /// How many such operations come first.
        package var after = 0
        /// Whether the process kills itself there; otherwise it waits for the signal.
        package var isFatal = false

        package init(
            _ operation: Volume.Operation?, _ files: Volume.Files = .all, after: Int = 0,
            isFatal: Bool = false
        ) {
            self.operation = operation
            self.files = files
            self.after = after
            self.isFatal = isFatal
        }
    }

    /// The directory with the store.
    package var directory: String
    /// What decides about the contents of writes.
    package var seedOfLedger: UInt64
    /// Whether each write does as little as possible.
    package var isLight = false
    /// What decides about levels and pauses.
    package var seed: UInt64
    /// The part of the child that stops the store.
    package var host = Host.unmanaged
    /// Who has the write permit while others queue.
    package var turn = Turn.free
    /// How many writes are given to the store without waiting.
    package var queued = 0
    /// How many tasks and threads write and wait, each.
    package var writers = 4
    /// Whether signals are trapped before the store is opened.
    package var trapsFirst = false
    /// Whether it waits for the signal before it opens the store.
    package var opensLate = false
    /// Where it is held.
    package var hold: Hold?
    /// `Configuration.checkpointSize`.
    package var checkpointSize = 4 << 20
    /// `Configuration.shutdownDeadline` in milliseconds.
    package var deadline = 600_000
    /// How long the group lets its services stop, in milliseconds.
    package var patience = 100

    package init(directory: String, ledger: UInt64, seed: UInt64) {
        self.directory = directory
        seedOfLedger = ledger
        self.seed = seed
    }

    /// The writes.
    package var ledger: Ledger { Ledger(seed: seedOfLedger, isLight: isLight) }

    /// The path of the store.
    package var path: String { "\(directory)/\(Volume.storeName)" }
}

extension ChildPlan {
    /// The plan as arguments, in the order in which ``init(arguments:)`` reads them.
    package var arguments: [String] {
        let operation = hold?.operation.flatMap { Volume.Operation.allCases.firstIndex(of: $0) }
        let numbers = [
            queued, writers, trapsFirst ? 1 : 0, opensLate ? 1 : 0, checkpointSize, deadline,
            patience, hold == nil ? 0 : 1, operation ?? -1, Int(hold?.files.rawValue ?? 0),
            hold?.after ?? 0, hold?.isFatal == true ? 1 : 0, isLight ? 1 : 0,
        ]
        return [directory, "\(seedOfLedger)", "\(seed)", host.rawValue, turn.rawValue]
            + numbers.map { "\($0)" }
    }

    /// Reads a plan; `nil` if it is none.
    package init?(arguments: [String]) {
        let numbers = arguments.dropFirst(5).compactMap { Int($0) }
        guard arguments.count == 18, numbers.count == 13, let ledger = UInt64(arguments[1]),
            let seed = UInt64(arguments[2]), let host = Host(rawValue: arguments[3]),
            let turn = Turn(rawValue: arguments[4])
        else { return nil }
        self.init(directory: arguments[0], ledger: ledger, seed: seed)
        self.host = host
        self.turn = turn
        (queued, writers) = (numbers[0], numbers[1])
        (trapsFirst, opensLate) = (numbers[2] == 1, numbers[3] == 1)
        (checkpointSize, deadline, patience) = (numbers[4], numbers[5], numbers[6])
        isLight = numbers[12] == 1
        if numbers[7] == 1 {
            let operations = Volume.Operation.allCases
            hold = Hold(
                operations.indices.contains(numbers[8]) ? operations[numbers[8]] : nil,
                Volume.Files(rawValue: Int32(truncatingIfNeeded: numbers[9])), after: numbers[10],
                isFatal: numbers[11] == 1)
        }
    }
}
