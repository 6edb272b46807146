import SkiathosCore
import TestTools

/// What the clients of a history do, all of it decided by a seed.
///
/// The same seed gives the same operations in the same order for each client. How the clients meet
/// is up to the machine.
struct HistoryPlan: Sendable, Equatable {
    /// How many lists are appended to at the same time; after some operations others follow, so
    /// that none gets long.
    static let openLists = 3
    static let operationsOfList = 12
    static let registers = 3

    let seed: UInt64
    /// Whether every write takes a place in a common order.
    let isCounted: Bool
    let level: Acknowledgement
    let readerCount: Int
    let commitInterval: Duration
    let maximumBatchSize: Int
    let interruptions: LateInterruptions
    let clients: [[PlannedOperation]]

    /// Every list that the operations may touch.
    let listCount: Int

    init(seed: UInt64, contexts: Int, operations: Int) {
        var random = SeededNumbers(seed: seed)
        let isCounted = random.happens(50)
        self.seed = seed
        self.isCounted = isCounted
        level = random.happens(50) ? .committed : .merged
        readerCount = 1 + random.below(4)
        commitInterval = [.zero, .microseconds(200), .milliseconds(2)][random.below(3)]
        maximumBatchSize = [1, 3, 1_000, 1_000][random.below(4)]
        interruptions = LateInterruptions(delay: [0, 100, 300, 1_000][random.below(4)])
        listCount = Self.openLists * (1 + max(0, operations - 1) / Self.operationsOfList)
        clients = (0..<contexts).map { client in
            (0..<operations).map { index in
                var maker = OperationMaker(
                    random: random, isCounted: isCounted, number: client * operations + index,
                    client: client, index: index)
                defer { random = maker.random }
                return maker.make()
            }
        }
    }

    /// Whether a client runs on a thread and blocks it, or in a task.
    static func isThread(_ client: Int) -> Bool { client % 2 == 1 }

    var configuration: Configuration {
        var configuration = Configuration()
        configuration.acknowledgement = level
        configuration.readerCount = readerCount
        configuration.commitInterval = commitInterval
        configuration.maximumBatchSize = maximumBatchSize
        return configuration
    }
}
