#if Lifecycle
internal import UnixSignals

extension UnixSignalsSequence {
    /// The signals that come from here on, which do not end the process by themselves.
    static func trapping(_ signals: [UnixSignal]) async -> UnixSignalsSequence {
        // A task of its own, since one that was cancelled would trap nothing.
        await Task { await UnixSignalsSequence(trapping: signals) }.value
    }
}
#endif
