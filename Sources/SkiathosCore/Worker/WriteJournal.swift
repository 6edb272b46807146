/// What one write has done so far, for observers and caches once it is merged.
struct WriteJournal {
    /// The changes that observers are notified of.
    var record = ChangeRecord()
    /// The rows that caches invalidate when the write is committed.
    var evictions = Evictions()
    /// The rows that have changed, before and after; `nil` unless each change is recorded.
    var capture: ChangeCapture?
}
