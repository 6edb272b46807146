import SkiathosLocks
import SkiathosStore
import Synchronization

/// What happened, in order, noted from any thread.
final class Log<Entry: Sendable>: Sendable {
    private let noted = Lock<[Entry]>([])

    func note(_ entry: Entry) { noted.withLock { $0.append(entry) } }

    var entries: [Entry] { noted.withLock { $0 } }
}
