/// How far the closing of a store has come, whichever calls have asked for it.
struct ClosingProgress: Sendable {
    /// When a shutdown stops waiting for what was accepted, and what it may take after that.
    struct Deadline: Sendable {
        var moment: ContinuousClock.Instant
        /// How long each of two steps may take that follow, if that is more than the least time for
        /// it: ending what was interrupted, and bringing what was merged to disk.
        var grace: Duration
    }

    /// When the first call asked for it.
    private var began: ContinuousClock.Instant?
    /// When the files were given up.
    private var ended: ContinuousClock.Instant?
    /// What failed meanwhile.
    private(set) var failure: (any Error)?
    /// The shutdown that is under way, which further calls join.
    var shutdown: (deadline: ShutdownDeadline, report: Task<ShutdownReport, Never>)?
    /// The earliest deadline of all calls so far.
    private var earliest: Deadline?

    /// Nothing new is accepted from now on.
    mutating func begin() {
        if began == nil { began = .now }
    }

    /// Whether the files were given up.
    var hasEnded: Bool { ended != nil }

    /// The files were given up.
    mutating func end(_ result: Result<Void, any Error>) {
        ended = .now
        if case .failure(let error) = result { failure = error }
    }

    /// The deadline that counts for a call which asks for one.
    ///
    /// - Parameter isDefault: Whether it is the configuration's. A call that has none of its own
    ///   must not undo the haste of an earlier one, whose deadline may have passed.
    mutating func limit(_ wanted: Deadline, isDefault: Bool) -> Deadline {
        guard let earliest, earliest.moment <= wanted.moment else {
            self.earliest = wanted
            return wanted
        }
        return isDefault ? earliest : wanted
    }

    /// The time from the first call to the end, or until now.
    var duration: Duration {
        guard let began else { return .zero }
        return began.duration(to: ended ?? .now)
    }
}
