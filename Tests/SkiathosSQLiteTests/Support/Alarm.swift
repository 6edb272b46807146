import Locks
import Synchronization

@testable import SkiathosSQLite

/// The wake-ups that a store has asked for.
final class Alarm: Sendable {
    private let due = Lock<[@Sendable () -> Void]>([])

    var wakeUps: IdleWakeUps {
        IdleWakeUps { wakeUp in self.due.withLock { $0.append(wakeUp) } }
    }

    /// How many are pending.
    var count: Int { due.withLock { $0.count } }

    /// Lets the time pass.
    func ring() {
        let all = due.withLock { due in
            defer { due = [] }
            return due
        }
        for wakeUp in all { wakeUp() }
    }
}
