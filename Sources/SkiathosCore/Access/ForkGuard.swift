import SkiathosPlatformLibC
import Synchronization

/// Detects that the process was forked.
///
/// A child shares its parent's file locks and offsets, and using the parent's connection can
/// corrupt the file (sqlite.org/howtocorrupt.html, 2.6).
final class ForkGuard: Sendable {
    /// The only one, which each store keeps: reaching a global variable costs more than the check.
    static let shared: ForkGuard = {
        let code = pthread_atfork(nil, nil) {
            ForkGuard.shared.forks.wrappingAdd(1, ordering: .relaxed)
        }
        precondition(code == 0, "pthread_atfork gave \(code), so forks would go unnoticed.")
        return ForkGuard()
    }()

    private let forks = Atomic<Int>(0)

    private init() {}

    /// How often this process and its ancestors were forked since the guard was first used.
    ///
    /// One atomic load, where asking for the process ID is a system call.
    var generation: Int { forks.load(ordering: .relaxed) }
}
