import Logging
import ServiceLifecycle
import Skiathos
import UnixSignals

extension ServiceGroup {
    /// Runs the group until it ends or is stopped by SIGTERM or SIGINT.
    ///
    /// - The first signal stops the services in order: no connection is accepted any more, the
    ///   requests that have arrived are answered, and the store is closed last.
    /// - The second ends the patience: what waits for its turn at the store is answered 503.
    ///
    /// A group that is given the signals itself takes no notice of the second.
    func run(stopping dal: DataAccessLayer, logger: Logger) async throws {
        // From here on the signals do not end the process by themselves.
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let watching = Task {
            var isFirst = true
            for await signal in signals {
                logger.info("Stopping after \(signal)\(isFirst ? "" : ", at once").")
                if isFirst {
                    await triggerGracefulShutdown()
                } else {
                    await dal.shutDown(within: .zero)
                }
                isFirst = false
            }
        }
        defer { watching.cancel() }
        try await run()
    }
}
