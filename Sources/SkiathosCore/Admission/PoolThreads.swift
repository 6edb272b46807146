import Synchronization

/// Counts the threads of Swift's tasks that blocking calls of stores hold.
///
/// The pool has one thread for each core. While all of them are blocked no task runs, not even
/// one that was given its slot and for which they wait.
enum PoolThreads {
    private static let blocked = Atomic(0)

    /// Whether all are blocked, as far as stores know.
    ///
    /// Other code can block some as well.
    static var areAllBlocked: Bool {
        blocked.load(ordering: .relaxed) >= ProcessorCount.current
    }

    /// Whether this thread runs a task.
    static var isCurrent: Bool { withUnsafeCurrentTask { $0 != nil } }

    /// Runs a closure that blocks this thread.
    static func whileBlocked<R>(_ body: () throws -> R) rethrows -> R {
        guard isCurrent else { return try body() }
        blocked.wrappingAdd(1, ordering: .relaxed)
        defer { blocked.wrappingSubtract(1, ordering: .relaxed) }
        return try body()
    }
}
