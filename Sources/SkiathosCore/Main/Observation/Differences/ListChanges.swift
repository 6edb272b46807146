import SkiathosLocks
import SkiathosStore
import Synchronization

/// The rows that commits have changed since the list of a query, or the row of an ID, was read, or
/// computed, last.
///
/// It keeps the batches as they come, which all queries share: the observer that needs the list looks
/// at the rows, and not the thread that notifies the observers.
final class ListChanges: Sendable {
    private struct State {
        /// Whether only a read leads to the next list: rows may have changed that are not known.
        var mustRead = true
        /// The version that was read last.
        var version: UInt64 = 0
        /// The last commit that the list contains, or one before it.
        var contains: UInt64 = 0
        /// The batches since, also those that come during a read and may be a part of it.
        var batches: [BatchChanges] = []
        var rowCount = 0

        mutating func requireRead() {
            mustRead = true
            forget()
        }

        mutating func forget() {
            batches = []
            rowCount = 0
        }
    }

    /// How many changed rows are kept.
    ///
    /// To look at more takes as long as to read a list, and a query whose observers are busy keeps no
    /// more than these.
    private static var rowLimit: Int { 1_000 }

    /// Never held while other code is called.
    private let state = Lock(State())
    private let entity: Int

    /// - Parameter entity: The position of the entity of the rows.
    init(of entity: Int) { self.entity = entity }

    /// A batch has changed rows that matter to the list, or may have.
    func committed(_ changes: BatchChanges) {
        state.withLock { state in
            guard !state.mustRead else { return }
            state.batches.append(changes)
            state.rowCount += changes.size
            if state.rowCount > Self.rowLimit { state.requireRead() }
        }
    }

    /// The changed rows that lead from the last list to that of the last commit which observers were
    /// notified of, and the number of that commit; `nil` if the list has to be read.
    ///
    /// A row appears once for each write that has changed it, in order.
    ///
    /// - Parameter minimum: The commit that the list has to contain, and those before.
    func take(including minimum: UInt64) -> (rows: [ChangedRow], commit: UInt64)? {
        state.withLock { state in
            guard !state.mustRead else { return nil }
            let last = max(state.contains, state.batches.last?.number ?? 0)
            guard last >= minimum else { return nil }
            var rows: [ChangedRow] = []
            for batch in state.batches {
                guard let version = batch.version else { return nil }
                guard version > state.version else { continue }
                switch batch.rows(of: entity) {
                case nil: break
                case .unknown?: return nil
                case .known(let known)?: rows += known
                }
            }
            state.contains = last
            state.forget()
            return (rows, last)
        }
    }

    /// A read of the list begins.
    func beginRead() {
        state.withLock { state in
            state.mustRead = false
            state.forget()
        }
    }

    /// A read of the list has succeeded.
    ///
    /// - Parameters:
    ///   - version: The version that it has seen; `nil` if that is not known.
    ///   - start: The number of a commit that it has seen.
    ///   - isOutdated: Whether a batch of which the query was not notified may have changed the list.
    func endRead(_ version: UInt64?, at start: UInt64, isOutdated: Bool) {
        state.withLock { state in
            state.contains = start
            state.version = version ?? 0
            if isOutdated || version == nil { state.requireRead() }
        }
    }

    /// A read of the list has failed.
    func failRead() { state.withLock { $0.requireRead() } }
}
