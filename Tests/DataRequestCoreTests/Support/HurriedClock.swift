#if RequestCore
/// A clock that stands still, on which short sleeps are over at once and long ones never.
///
/// Waits between attempts are short; limits of time are long, and not to pass in these tests.
struct HurriedClock: Clock {
    struct Instant: InstantProtocol {
        var offset: Duration = .zero
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    var now: Instant { Instant() }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try Task.checkCancellation()
        guard deadline.offset > .seconds(20) else { return }
        // Ends by being cancelled.
        while true { try await Task.sleep(for: .seconds(3600)) }
    }
}
#endif
