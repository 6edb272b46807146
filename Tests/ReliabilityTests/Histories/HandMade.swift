@testable import ReliabilityKit

let x = HistoryKey.list(1)
let y = HistoryKey.list(2)
let register = HistoryKey.register(1)

/// An operation that was called and had returned at two instants.
func done(
    _ number: Int, _ called: Int, _ returned: Int, _ accesses: [HistoryAccess]
) -> HistoryOperation {
    HistoryOperation(number, called: called, returned: returned, accesses)
}

/// The operation with a place among the writes.
func placed(
    _ operation: HistoryOperation, _ place: Int, taking: Bool = true
) -> HistoryOperation {
    var operation = operation
    operation.place = place
    operation.takesPlace = taking
    return operation
}

func violations(_ history: [HistoryOperation]) -> [HistoryViolation] {
    HistoryChecker.violations(of: history)
}
