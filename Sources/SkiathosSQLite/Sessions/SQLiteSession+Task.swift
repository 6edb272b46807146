import GRDBSQLite

// A statement checks whether the task on whose thread it runs was cancelled. Unlike `sqlite3_interrupt` on
// another thread, this ends no statement that has not begun, and none of another access.
extension SQLiteSession {
    /// The number of instructions of SQLite's virtual machine between two checks: they are 10 to 20 µs
    /// apart, and take up to a fiftieth of the time.
    private static let cancellationCheckInterval: Int32 = 500

    /// Installs a progress handler that ends the running statement if the task was cancelled
    /// (sqlite.org/c3ref/progress_handler.html), unless it is there or the session is not to check.
    ///
    /// Called before statements that may take long.
    /// A row that is looked up by its ID is there before the first check, except where outdated statistics
    /// make SQLite scan the table, once for each connection.
    func installCancellationCheckIfNeeded() {
        guard checksCancellation, !hasCancellationCheck else { return }
        hasCancellationCheck = true
        sqlite3_progress_handler(
            handle, Self.cancellationCheckInterval, { _ in Task.isCancelled ? 1 : 0 }, nil)
    }

    /// Removes the handler, for which statements that need not check would pay.
    func removeCancellationCheck() {
        hasCancellationCheck = false
        sqlite3_progress_handler(handle, 0, nil, nil)
    }
}
