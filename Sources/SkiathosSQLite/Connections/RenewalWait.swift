import Foundation

/// How a write waits for reads that are under way, when their snapshots keep the log from starting
/// over.
struct RenewalWait: Sendable {
    /// Lets a little time pass, and tells whether it is worth while to look again.
    ///
    /// - Parameter pauses: How many there were before, in the same checkpoint.
    let pause: @Sendable (_ pauses: Int) -> Bool

    /// About 10 ms in all, at first in short pauses: most reads end within microseconds, and others
    /// as soon as their thread has its turn on a core.
    static let shortly = RenewalWait { pauses in
        guard pauses < 14 else { return false }
        usleep(pauses < 4 ? 50 << UInt32(pauses) : 900)
        return true
    }
}
