import Foundation

/// How a write waits for running reads whose snapshots keep the WAL from restarting.
struct EpochWait: Sendable {
    /// Pauses briefly, and returns whether to check again.
    ///
    /// - Parameter pauses: How many pauses there were before, in the same checkpoint.
    let pause: @Sendable (_ pauses: Int) -> Bool

    /// About 10 ms in all, at first in short pauses: most reads end within microseconds, and
    /// others as soon as their thread is scheduled.
    static let shortly = EpochWait { pauses in
        guard pauses < 14 else { return false }
        usleep(pauses < 4 ? 50 << UInt32(pauses) : 900)
        return true
    }
}
