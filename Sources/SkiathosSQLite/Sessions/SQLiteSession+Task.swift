import GRDBSQLite

// A statement asks the task on whose thread it runs whether that was cancelled. Other than
// `sqlite3_interrupt` of another thread, this meets no statement that has not begun, and none of another
// access.
extension SQLiteSession {
    /// After how many instructions of its virtual machine SQLite asks: every 10 to 20 µs, and for
    /// about a hundredth of the time.
    private static let askingInterval: Int32 = 500

    /// Has SQLite call a function from time to time that ends the statement if the task was cancelled
    /// (sqlite.org/c3ref/progress_handler.html).
    ///
    /// The session must live until ``endAsking()``.
    func ask() {
        isAsking = true
        sqlite3_progress_handler(
            handle, Self.askingInterval,
            { session in
                guard let session else { return 0 }
                let isCancelled = Unmanaged<SQLiteSession>.fromOpaque(session)
                    ._withUnsafeGuaranteedRef { $0.followsTask && Task.isCancelled }
                return isCancelled ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Ends that, before the connection is closed.
    func endAsking() {
        guard isAsking else { return }
        isAsking = false
        sqlite3_progress_handler(handle, 0, nil, nil)
    }
}
