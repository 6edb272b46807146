#if Lifecycle
internal import Logging
internal import UnixSignals

/// Signals that stop the process: the first one, and further ones that end the deadline.
struct StopSignals: Sendable {
    private let received: UnixSignalsSequence
    private let logger: Logger

    /// From here on the signals do not end the process by themselves.
    init(trapping signals: [UnixSignal], logger: Logger) async {
        // A task of its own, since one that was cancelled would trap nothing.
        received = await Task { await UnixSignalsSequence(trapping: signals) }.value
        self.logger = logger
    }

    /// Calls one closure for the first signal and the other for each that follows, until the task
    /// is cancelled.
    func watch(
        first: @Sendable () async -> Void, further: @Sendable () async -> Void
    ) async {
        var isFirst = true
        for await signal in received {
            logger.info("Stopping after \(signal)\(isFirst ? "" : ", at once").")
            await isFirst ? first() : further()
            isFirst = false
        }
    }
}
#endif
