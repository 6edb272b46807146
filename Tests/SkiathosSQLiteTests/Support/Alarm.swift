import GRDB
import SkiathosLocks
import SkiathosStore
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

    /// Opens a store that asks this for its wake-ups.
    func open(_ directory: TemporaryDirectory) throws -> SQLiteStore {
        var opener = StoreOpener(
            schema: try TestEntities.schema(), options: StoreOptions(), file: directory.file())
        opener.wakeUps = wakeUps
        return try opener.open()
    }
}

extension TemporaryDirectory {
    /// Whether a read prevents another connection from restarting the WAL of a store.
    func isWALHeld() throws -> Bool {
        var configuration = Configuration()
        configuration.busyMode = .immediateError
        let other = try DatabaseQueue(path: file(), configuration: configuration)
        defer { try? other.close() }
        return try other.inDatabase { database in
            try Row.fetchOne(database, sql: "PRAGMA wal_checkpoint(RESTART)")?["busy"] == 1
        }
    }
}
