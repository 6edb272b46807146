extension Duration {
    /// The part of a time for which clocks can wait: from nothing to a hundred years.
    ///
    /// The system's clocks end the process where the seconds of an instant overflow.
    package var waitable: Duration { min(max(self, .zero), .seconds(3_155_760_000)) }
}
