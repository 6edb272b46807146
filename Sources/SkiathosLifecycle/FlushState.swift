#if Lifecycle
/// Which flush a request asks for, if one is under way.
///
/// It decides and does nothing itself; ``StoreFlusher`` acts.
enum FlushState: Sendable, Equatable {
    /// No flush. Exits: `.flushing` with a request; `.over`.
    case idle
    /// A flush is under way. Exits: `.flushingAgain` with a request; `.idle` when it ends; `.over`.
    case flushing
    /// A flush is under way that does not cover the writes before the last request. Exits:
    /// `.flushing` when it ends; `.over`.
    case flushingAgain
    /// The stores are shut down, which flushes them. No exit.
    case over

    /// Returns whether a flush has to begin.
    mutating func request() -> Bool {
        switch self {
        case .idle:
            self = .flushing
            return true
        case .flushing:
            self = .flushingAgain
            return false
        case .flushingAgain, .over: return false
        }
    }

    /// Returns whether a further flush has to follow the one that has ended.
    mutating func flushEnded() -> Bool {
        switch self {
        case .flushingAgain:
            self = .flushing
            return true
        case .flushing:
            self = .idle
            return false
        case .idle, .over: return false
        }
    }
}
#endif
