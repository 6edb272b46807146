/// What a write has done when it returns.
enum Promise {
    /// Every later read sees it; where a contestant has no such thing, it is committed.
    case visible
    /// It survives the end of the process.
    case committed
    /// It survives the loss of power.
    case durable

    /// In SQLite's write-ahead mode NORMAL syncs at checkpoints alone, and FULL after each commit.
    var pragma: String { "PRAGMA synchronous = \(self == .durable ? "FULL" : "NORMAL")" }
}
