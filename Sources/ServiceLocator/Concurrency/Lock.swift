#if !THREAD_SANITIZER
import Synchronization

/// A value that one thread at a time can use.
///
/// The name stands for the standard library's mutex, except where the thread sanitizer looks on.
typealias Lock<Value> = Mutex<Value>
#else
/// A value that one thread at a time can use, by means of a lock that the thread sanitizer knows.
///
/// On Linux it does not see the standard library's mutex, and would report races that are none.
struct Lock<Value>: ~Copyable, Sendable {
    // Sendable: the value is only touched by `withLock`, which holds the mutex meanwhile, and
    // both are freed by the only owner of this class, when nobody can be in `withLock`.
    private final class Storage: @unchecked Sendable {
        let mutex = SystemMutex()
        var value: Value  // guarded by mutex

        init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    init(_ value: consuming sending Value) { storage = Storage(value) }

    borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        storage.mutex.lock()
        defer { storage.mutex.unlock() }
        return try body(&storage.value)
    }
}
#endif
