import PlatformLibC

/// The system's mutex with a condition variable.
///
/// Sendable: both are made for use by many threads, and are destroyed by the last owner.
final class SystemMutex: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        // With default attributes neither can fail on the systems that Swift runs on.
        pthread_mutex_init(mutex, nil)
        pthread_cond_init(condition, nil)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    func lock() { pthread_mutex_lock(mutex) }

    func unlock() { pthread_mutex_unlock(mutex) }

    /// Releases the lock, waits for ``wakeAll()`` and acquires the lock again; may return
    /// early.
    func wait() { pthread_cond_wait(condition, mutex) }

    func wakeAll() { pthread_cond_broadcast(condition) }
}

/// A number of the current thread, unique among the threads that live at the same time.
@inline(__always)
var threadNumber: UInt64 {
    // A number with Glibc, and a pointer elsewhere.
    UInt64(unsafeBitCast(pthread_self(), to: UInt.self))
}

/// Yields the processor to other threads.
func yieldThread() { sched_yield() }
