#if Lifecycle
import SkiathosLocks

/// How the deadline of a stop is divided between the work and the stores.
struct StopBudget: Sendable {
    /// The time from the request to stop until the stores are closed.
    let deadline: Duration

    /// - Parameter deadline: Any time, of which the part counts for which clocks can wait.
    init(deadline: Duration) { self.deadline = deadline.waitable }

    /// What is left to the stores, however long the work takes: a quarter.
    var reserve: Duration { deadline / 4 }

    /// How long the work may take to end.
    var work: Duration { deadline - reserve }

    /// The time of the stores when some has passed since the request to stop.
    func stores(after elapsed: Duration) -> Duration { max(reserve, deadline - elapsed) }
}
#endif
