/// How many processes the tests kill and stop.
///
/// The thread sanitizer makes each take several times as long.
enum Cycles {
    #if THREAD_SANITIZER
    static let killedStores = 6
    static let terminations = 3
    static let queued = 1_000
    static let starts = 5
    #else
    static let killedStores = 30
    static let terminations = 30
    static let queued = 10_000
    static let starts = 20
    #endif
    /// How many processes are killed on each store.
    static let livesPerStore = 5
}
