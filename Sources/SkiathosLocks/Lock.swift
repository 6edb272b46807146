#if !THREAD_SANITIZER && !RANDOM_PAUSES
package import Synchronization

/// A value that one thread at a time can use.
///
/// This is the standard library's mutex, except in builds with the thread sanitizer or with pauses.
package typealias Lock<Value> = Mutex<Value>
#elseif !RANDOM_PAUSES
import SkiathosPlatformLibC

/// A value that one thread at a time can use, by means of a lock that the thread sanitizer knows.
///
/// On Linux the standard library's mutex is made of futex calls in a library that is not
/// instrumented. The sanitizer does not see it and reports races in every program that relies
/// on it. It does intercept POSIX mutexes.
package struct Lock<Value>: ~Copyable, Sendable {
    // Sendable: the value is only touched by `withLock` while it holds the mutex. Both are
    // freed by the only owner of this class, when no thread can be in `withLock`.
    private final class Storage: @unchecked Sendable {
        let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        var value: Value

        init(_ value: Value) {
            self.value = value
            let code = pthread_mutex_init(mutex, nil)
            precondition(code == 0, "pthread_mutex_init gave \(code).")
        }

        deinit {
            pthread_mutex_destroy(mutex)
            mutex.deallocate()
        }
    }

    private let storage: Storage

    package init(_ value: consuming sending Value) { storage = Storage(value) }

    package borrowing func withLock<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(storage.mutex)
        defer { pthread_mutex_unlock(storage.mutex) }
        return try body(&storage.value)
    }

    package borrowing func withLockIfAvailable<Result: ~Copyable, Failure: Error>(
        _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result? {
        guard pthread_mutex_trylock(storage.mutex) == 0 else { return nil }
        defer { pthread_mutex_unlock(storage.mutex) }
        return try body(&storage.value)
    }
}
#endif
