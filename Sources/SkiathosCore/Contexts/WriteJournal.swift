/// What one write has done so far, as far as others need to know it once it is merged.
struct WriteJournal {
    /// What observers are notified of.
    var record = ChangeRecord()
    /// The rows that caches drop when the write is committed.
    var evictions = Evictions()
    /// The rows that have changed, before and after; `nil` unless each of them is asked for.
    var capture: ChangeCapture?
}
