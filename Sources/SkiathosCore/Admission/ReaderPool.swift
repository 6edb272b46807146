import SkiathosStore
import Synchronization

/// The connections that reads use, and what is running on each of them.
final class ReaderPool: Sendable {
    /// A connection, and its place among all.
    struct Reader: Sendable {
        let connection: any StoreReader
        fileprivate let number: Int
    }

    private struct State {
        /// The connections that no read uses.
        var free: [Reader]
        /// The read that runs on each connection.
        var running: [RunningRead?]
    }

    private let state: Lock<State>

    init(_ connections: [any StoreReader]) {
        state = Lock(
            State(
                free: connections.enumerated().map { Reader(connection: $1, number: $0) },
                running: Array(repeating: nil, count: connections.count)))
    }

    /// Takes a free connection for a read; whoever was admitted finds one.
    func take(for place: SourcePlace) -> Reader {
        let start = CoarseTime.now
        return state.withLock { state in
            guard let reader = state.free.popLast() else {
                preconditionFailure("A read was admitted although every connection is in use.")
            }
            state.running[reader.number] = RunningRead(place: place, start: start)
            return reader
        }
    }

    /// Gives the connection of a read back.
    func giveBack(_ reader: Reader) {
        state.withLock { state in
            state.running[reader.number] = nil
            state.free.append(reader)
        }
    }

    /// The read that has been running for the longest time.
    var oldestRead: RunningRead? {
        state.withLock { $0.running.compactMap { $0 }.min { $0.start < $1.start } }
    }
}
