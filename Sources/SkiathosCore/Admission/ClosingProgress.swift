/// How far the closing of a store has come, whoever asked for it and however often.
struct ClosingProgress: Sendable {
    /// When the first call asked for it.
    private var began: ContinuousClock.Instant?
    /// When the files were given up.
    private var ended: ContinuousClock.Instant?
    /// What failed meanwhile.
    private(set) var failure: (any Error)?

    /// Nothing new is accepted from now on.
    mutating func begin() {
        if began == nil { began = .now }
    }

    /// The files were given up.
    mutating func end(_ result: Result<Void, any Error>) {
        ended = .now
        if case .failure(let error) = result { failure = error }
    }

    /// The time from the first call to the end, or until now.
    var duration: Duration {
        guard let began else { return .zero }
        return began.duration(to: ended ?? .now)
    }
}
