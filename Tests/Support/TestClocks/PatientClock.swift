/// A clock with the system's time on which long sleeps last a hundred times as long.
///
/// Requests over real connections have limits of a minute, which may pass where a machine runs much
/// else; a test of something else shall not end by them. Short delays, such as those between attempts,
/// are what they are.
package struct PatientClock: Clock, Sendable {
    private let system = ContinuousClock()

    /// Makes a clock.
    package init() {}

    /// The system's time.
    package var now: ContinuousClock.Instant { system.now }

    /// The system's resolution.
    package var minimumResolution: Duration { system.minimumResolution }

    /// Sleeps until a deadline, or much longer if that is seconds away.
    package func sleep(
        until deadline: ContinuousClock.Instant, tolerance: Duration?
    ) async throws {
        let duration = now.duration(to: deadline)
        let isLimit = duration > .seconds(4)
        try await system.sleep(
            until: isLimit ? deadline.advanced(by: duration * 99) : deadline, tolerance: tolerance)
    }
}
