/// The boundary to a backend, which stores the rows of a ``StoreSchema``.
///
/// A backend returns rows for a request, applies one unit of work at a time, and reports
/// truthfully what it has stored. `StoreConformanceSuite` in `SkiathosTesting` checks the rest
/// of the contract; run it on every backend.
///
/// Calls block. The caller ensures that a reader serves one access at a time and that the
/// writer serves one unit of work at a time; a backend need not queue.
public protocol PersistentStore: AnyObject, Sendable {
    /// The entities.
    var schema: StoreSchema { get }
    /// The connections that read while a unit of work is running.
    ///
    /// Empty if the backend has one connection only: then reads use the writer, between units
    /// of work.
    var readers: [any StoreReader] { get }
    /// The only connection that changes anything.
    var writer: any StoreWriter { get }
    /// Whether the store was opened for reading only.
    var isReadOnly: Bool { get }
    /// Begins a copy of the committed data, at a path or another target of the backend.
    ///
    /// Called while other calls read and write; if ``readers`` is empty, when no call is
    /// running. Otherwise the caller may be inside of
    /// ``StoreWriter/withSession(_:)-swift.method``, so that nothing is committed meanwhile,
    /// and the backend must not request that session.
    ///
    /// - Parameters:
    ///   - path: The place of the copy.
    ///   - overwriting: Whether the copy may replace an existing file.
    /// - Throws: ``StoreError`` with code `fileExists` if there is a file that must not be
    ///   replaced, or `invalidPath` if the path is that of the store itself.
    func beginBackup(to path: String, overwriting: Bool) throws -> any StoreBackup
    /// Watches for the commits of other processes.
    ///
    /// Called only if the store was opened for reading only, and before it is closed. Several watches
    /// may run at once. Defaults to `nil`.
    ///
    /// - Parameters:
    ///   - interval: How often to look, where the backend has to, and to report; from 1 ms.
    ///   - report: Called from any thread: after commits of other processes, once for several, when
    ///     every later read sees them. It must not call the watch when it gets
    ///     ``CommitWatchEvent/committed``.
    /// - Returns: The watch, which ends when it is released, or `nil` if the backend does not see the
    ///   commits of other processes.
    func watchCommits(
        every interval: Duration, _ report: @escaping @Sendable (CommitWatchEvent) -> Void
    ) -> (any CommitWatch)?
    /// Closes every file and releases every lock.
    ///
    /// Called once, when no call is running and every ``CommitWatch`` was ended.
    func close() throws
}
