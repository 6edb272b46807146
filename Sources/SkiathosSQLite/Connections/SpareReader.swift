import SkiathosLocks
import SkiathosStore
import Synchronization

/// The spare connection of a reading one, which is opened when a commit finds the first read whose
/// snapshot is pending.
final class SpareReader: Sendable {
    private enum State {
        case unopened
        case open(SQLiteReader)
        /// It could not be opened, or the last snapshot could not be taken.
        case failed(any Error, SQLiteReader?)
        case closed
    }

    private let state = Lock(State.unopened)
    private let open: @Sendable (SnapshotPin) throws -> SQLiteReader

    /// - Parameter open: Opens the connection, for the reads of the one with a pin.
    init(open: @escaping @Sendable (SnapshotPin) throws -> SQLiteReader) { self.open = open }

    /// Takes a snapshot, of which it is known that it has a version, with the connection, which is
    /// opened if necessary; returns whether that succeeded.
    func take(_ version: UInt64, of pin: SnapshotPin) -> Bool {
        state.withLock { state in
            do {
                let reader: SQLiteReader
                switch state {
                case .open(let opened), .failed(_, .some(let opened)): reader = opened
                case .unopened, .failed(_, nil): reader = try open(pin)
                case .closed: return false
                }
                state = .open(reader)
                try reader.takeSnapshot(of: version)
                return true
            } catch {
                state = .failed(error, opened(state))
                return false
            }
        }
    }

    /// The connection with the snapshot that was taken last.
    ///
    /// Throws why it could not be taken.
    var reader: SQLiteReader {
        get throws {
            try state.withLock { state in
                switch state {
                case .open(let reader): return reader
                case .failed(let error, _): throw error
                case .unopened, .closed: throw SQLiteConnection.closed()
                }
            }
        }
    }

    /// The connection, if it was opened.
    var opened: SQLiteReader? { state.withLock { opened($0) } }

    private func opened(_ state: State) -> SQLiteReader? {
        switch state {
        case .open(let reader): reader
        case .failed(_, let reader): reader
        case .unopened, .closed: nil
        }
    }

    func close() throws {
        let reader = state.withLock { state in
            defer { state = .closed }
            return opened(state)
        }
        try reader?.close()
    }
}
