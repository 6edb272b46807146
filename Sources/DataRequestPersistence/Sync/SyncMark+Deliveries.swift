#if RequestCore
import SkiathosCore

/// The keys of requests that were delivered during a run, kept until its end.
///
/// A page that was read before a delivery does not reflect it, so the row of such a key may be
/// missing without being gone. The keys outlast an interruption of the run, as the marks of rows
/// do; their IDs begin with a word, and those of rows with a number.
extension SyncMark {
    /// Records the keys of a new run that were delivered since its first page was requested, and
    /// all later ones from now on.
    static func recordDeliveries(
        during run: SyncState.ID, after keys: Set<String>, in context: WriteContext
    ) throws {
        let marks = [recording(run)] + keys.map { delivery(of: $0, during: run) }
        try upsert(marks.map { mark($0, run) }, in: context)
    }

    /// Records a delivered key for the runs that are under way or interrupted.
    ///
    /// Call it in the write that removes the request, so that one of both protects the row.
    static func recordDelivery(of key: String, in context: WriteContext) throws {
        let runs = try SyncState.where { $0.isUnderWay == true }.ids(in: context)
        guard !runs.isEmpty else { return }
        let candidates = runs.map(recording)
        let found = Set(try SyncMark.where { $0.id.in(candidates) }.ids(in: context))
        let marks = runs.filter { found.contains(recording($0)) }
            .map { mark(delivery(of: key, during: $0), $0) }
        guard !marks.isEmpty else { return }
        try upsert(marks, in: context)
    }

    /// Whether the delivered keys of a run are recorded.
    static func recordsDeliveries(during run: SyncState.ID, in context: ReadContext) throws -> Bool
    {
        try SyncMark.find(recording(run), in: context) != nil
    }

    /// The ones of some keys that are recorded for a run.
    static func deliveries(
        of keys: Set<String>, during run: SyncState.ID, in context: WriteContext
    ) throws -> Set<String> {
        let candidates = keys.map { delivery(of: $0, during: run) }
        let found = Set(try SyncMark.where { $0.id.in(candidates) }.ids(in: context))
        return keys.filter { found.contains(delivery(of: $0, during: run)) }
    }

    private static func mark(_ id: SyncMark.ID, _ run: SyncState.ID) -> SyncMark {
        var mark = SyncMark(id: id)
        mark.sync = run.rawValue
        return mark
    }

    /// The ID of the mark that keys are recorded.
    private static func recording(_ run: SyncState.ID) -> SyncMark.ID {
        SyncMark.ID(rawValue: "deliveries \(run)")
    }

    private static func delivery(of key: String, during run: SyncState.ID) -> SyncMark.ID {
        SyncMark.ID(rawValue: "delivery \(run) \(key)")
    }
}
#endif
