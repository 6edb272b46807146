import SkiathosPlatformLibC

/// A number that no two threads share while both live.
@inline(__always)
var threadNumber: UInt64 { number(of: pthread_self()) }

/// The number of a thread; the C library of a platform makes it a number or a pointer.
@inline(__always)
private func number<Thread>(of thread: Thread) -> UInt64 {
    UInt64(unsafeBitCast(thread, to: UInt.self))
}

/// Lets other threads run.
func yieldThread() { sched_yield() }
