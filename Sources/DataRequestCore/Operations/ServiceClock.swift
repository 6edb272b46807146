#if RequestCore
import SkiathosLocks

/// A clock whose instants are durations since it was made, whatever the type of the clock below.
///
/// Instants of a type-erased clock can neither be compared nor stored in a field of a known
/// type.
struct ServiceClock: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let origin = clock.now
        read = { origin.duration(to: clock.now) }
        wait = {
            try await clock.sleep(until: origin.advanced(by: $0.waitable), tolerance: nil)
        }
    }

    /// The time since the clock was made.
    var now: Duration { read() }

    /// Waits until an instant, or throws `CancellationError`.
    func sleep(until instant: Duration) async throws { try await wait(instant) }
}
#endif
