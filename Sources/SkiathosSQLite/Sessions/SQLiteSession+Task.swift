import GRDBSQLite

// A statement asks the task on whose thread it runs whether that was cancelled. Other than
// `sqlite3_interrupt` of another thread, this meets no statement that has not begun, and none of another
// access.
extension SQLiteSession {
    /// After how many instructions of its virtual machine SQLite asks: every 10 to 20 µs, and for
    /// about a hundredth of the time.
    private static let askingInterval: Int32 = 500

    /// Has the next statements ask if the session follows a task; called before those that may take long.
    ///
    /// A row that is found by its ID is there before SQLite would ask for the first time.
    func askIfFollowing() {
        if followsTask, !isAsking { ask() }
    }

    /// Has SQLite call a function from time to time that ends the statement if the task was cancelled
    /// (sqlite.org/c3ref/progress_handler.html).
    func ask() {
        isAsking = true
        sqlite3_progress_handler(
            handle, Self.askingInterval, { _ in Task.isCancelled ? 1 : 0 }, nil)
    }

    /// Ends that: statements that ask, and do not follow a task, would take longer by a fiftieth.
    func endAsking() {
        isAsking = false
        sqlite3_progress_handler(handle, 0, nil, nil)
    }
}
