#if RequestCore
public import SkiathosCore

/// The entities that store the state of syncs and offline queues.
///
/// ```swift
/// let dal = try await DataAccessLayer.open(
///     .sqlite("app.sqlite"), entities: [Artist.self, Track.self] + DataRequestEntities.all)
/// ```
public enum DataRequestEntities {
    /// All of them, to be listed when the store is opened; their tables begin with `dataRequest`.
    public static let all: [any Entity.Type] = [
        QueuedRequest.self, SyncMark.self, SyncState.self,
    ]
}
#endif
