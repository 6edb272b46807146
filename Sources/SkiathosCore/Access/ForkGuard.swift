import PlatformLibC
import Synchronization

/// Detects that the process was forked.
///
/// A child shares its parent's file locks and offsets, and using the parent's connection can
/// corrupt the file (sqlite.org/howtocorrupt.html, 2.6).
enum ForkGuard {
    private static let generation = Atomic<Int>(0)

    private static let isInstalled: Bool = {
        pthread_atfork(nil, nil) { ForkGuard.generation.wrappingAdd(1, ordering: .relaxed) } == 0
    }()

    /// How often this process and its ancestors were forked since the guard was first used.
    ///
    /// One atomic load, where asking for the process ID is a system call.
    static var current: Int {
        precondition(isInstalled, "pthread_atfork failed, so forks would go unnoticed.")
        return generation.load(ordering: .relaxed)
    }
}
