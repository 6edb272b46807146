#if Lifecycle
/// How the deadline of a stop is divided between the work and the stores.
struct StopBudget: Sendable {
    /// The time from the request to stop until the stores are closed.
    let deadline: Duration

    /// - Parameter deadline: Less than 0 counts as 0, and more than 34 years as that, since a clock
    ///   cannot count to infinity.
    init(deadline: Duration) { self.deadline = min(max(deadline, .zero), .seconds(1 << 30)) }

    /// What is left to the stores, however long the work takes: a quarter.
    var reserve: Duration { deadline / 4 }

    /// How long the work may take to end.
    var work: Duration { deadline - reserve }

    /// The time of the stores when some has passed since the request to stop.
    func stores(after elapsed: Duration) -> Duration { max(reserve, deadline - elapsed) }
}
#endif
