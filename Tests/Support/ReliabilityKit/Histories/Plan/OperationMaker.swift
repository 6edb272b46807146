import SkiathosCore
import TestTools

/// Chooses one operation.
struct OperationMaker {
    var random: SeededNumbers
    let isCounted: Bool
    let number: Int
    let client: Int
    let index: Int
    private var values = 0

    init(random: SeededNumbers, isCounted: Bool, number: Int, client: Int, index: Int) {
        self.random = random
        self.isCounted = isCounted
        self.number = number
        self.client = client
        self.index = index
    }

    mutating func make() -> PlannedOperation {
        var operation = PlannedOperation(number: number, client: client, form: form())
        guard operation.form != .flush else {
            operation.level = random.happens(15) ? .durable : .committed
            return operation
        }
        // Some reads of a counted history leave their place to be found out.
        operation.isCounted = isCounted && (!operation.isRead || random.happens(70))
        operation.steps = (0..<(1 + random.below(4))).map { _ in
            operation.isRead ? readStep() : writeStep()
        }
        operation.isRefused = random.happens(8)
        if !operation.isRead {
            if !operation.isRefused, operation.form != .enqueue, random.happens(10) {
                // Nothing else, as in most small writes.
                operation.steps = [.append(list(), value())]
                operation.isCounted = false
                operation.isDangling = true
            }
            if operation.form != .enqueue { operation.level = level() }
        }
        let isAwaitedByTask = operation.form == .read || operation.form == .write
        if isAwaitedByTask, !HistoryPlan.isThread(client) {
            if operation.isRefused {
                // An access that has failed must not be interrupted any more: the next one may have its
                // connection.
                operation.cancellation = .ending
            } else if random.happens(12) {
                operation.cancellation = [.soon, .inside, .ending][random.below(3)]
            }
        }
        return operation
    }

    private mutating func form() -> PlannedOperation.Form {
        switch random.below(100) {
        case 0..<42: .read
        case 42..<78: .write
        case 78..<84: .completion
        case 84..<90: .awaitedCompletion
        case 90..<97: .enqueue
        default: .flush
        }
    }

    /// Seldom one that syncs, which takes its time.
    private mutating func level() -> Acknowledgement? {
        switch random.below(100) {
        case 0..<2: .durable
        case 2..<40: .committed
        case 40..<80: .merged
        default: nil
        }
    }

    private mutating func readStep() -> PlannedOperation.Step {
        random.happens(60) ? .readList(list()) : .readRegisters(registers())
    }

    private mutating func writeStep() -> PlannedOperation.Step {
        switch random.below(100) {
        case 0..<40: .append(list(), value())
        case 40..<65: .replace(register(), value())
        case 65..<80: .readList(list())
        case 80..<88: .readRegisters(registers())
        case 88..<93: .undo(list(), value())
        default:
            // Only the places tell the order of values that were set without being read.
            isCounted ? .overwrite(register(), value()) : .replace(register(), value())
        }
    }

    /// A value that no other operation writes.
    private mutating func value() -> Int {
        values += 1
        return number * 8 + values
    }

    private mutating func list() -> Int {
        index / HistoryPlan.operationsOfList * HistoryPlan.openLists
            + random.below(HistoryPlan.openLists)
    }

    private mutating func register() -> Int { 1 + random.below(HistoryPlan.registers) }

    private mutating func registers() -> [Int] {
        let first = register()
        return random.happens(40) ? [first] : [first, first % HistoryPlan.registers + 1]
    }
}
