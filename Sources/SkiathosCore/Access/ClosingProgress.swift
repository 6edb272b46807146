/// The progress of closing a store, whichever calls have asked for it.
struct ClosingProgress: Sendable {
    /// When a shutdown stops waiting for accepted accesses, and how long it may take after
    /// that.
    struct Deadline: Sendable {
        var moment: ContinuousClock.Instant
        /// The time for each of the two steps that follow, unless the least time for a step is
        /// longer: ending the interrupted closures, and syncing the merged writes.
        var grace: Duration
    }

    /// When the first call asked for it.
    private var began: ContinuousClock.Instant?
    /// When the files were closed.
    private var ended: ContinuousClock.Instant?
    /// Whether every access that was accepted has ended.
    private(set) var hasDrained = false
    /// The error of closing, if it failed.
    private(set) var failure: (any Error)?
    /// Why writes that had returned were rolled back before, unless a flush has said so.
    private(set) var loss: (any Error)?
    /// The shutdown that is under way, which further calls join.
    var shutdown: (deadline: ShutdownDeadline, report: Task<ShutdownReport, Never>)?
    /// The earliest deadline of all calls so far.
    private var earliest: Deadline?

    /// Records that nothing new is accepted from now on.
    mutating func begin() {
        if began == nil { began = .now }
    }

    /// Whether any call has asked for it.
    var hasBegun: Bool { began != nil }

    /// Records that every access that was accepted has ended.
    mutating func drained() { hasDrained = true }

    /// Whether the files were closed.
    var hasEnded: Bool { ended != nil }

    /// Records that the files were closed.
    ///
    /// - Parameter loss: Why writes that had returned were rolled back, unless a flush has said so.
    mutating func end(_ result: Result<Void, any Error>, loss: (any Error)?) {
        ended = .now
        self.loss = loss
        if case .failure(let error) = result { failure = error }
    }

    /// The deadline that applies to a call which asks for one.
    ///
    /// - Parameter isDefault: Whether the call has none of its own, or keeps to those of
    ///   others. It must not lift an earlier deadline, which may have passed.
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
