import PlatformLibC

/// A number that no two threads share while both live.
@inline(__always)
var threadNumber: UInt64 {
    // A number with Glibc, and a pointer elsewhere.
    UInt64(unsafeBitCast(pthread_self(), to: UInt.self))
}

/// Lets other threads go on.
func yieldThread() { sched_yield() }
