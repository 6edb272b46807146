/// An entity that observes every commit that has changed rows of it.
///
/// ```swift
/// extension User: CommitObserving {
///     static func didCommit(_ changes: EntityChanges<User>) {
///         SearchIndex.shared.refresh(changes.inserted, changes.updated.map(\.id))
///     }
/// }
/// ```
public protocol CommitObserving: Entity {
    /// Called once for each committed write that has changed rows of the entity, in the order of
    /// the commits, on a thread of the store and outside of all locks.
    ///
    /// Every store of the process that holds the entity calls it, also at the same time;
    /// ``EntityChanges/store`` says which.
    ///
    /// The next writes may have been committed by then. It may call `read` and `write` of the
    /// data access layer; a slow call delays the calls that follow. Writes that were lost
    /// after they had returned as merged are not reported, nor are writes of an earlier
    /// process.
    static func didCommit(_ changes: EntityChanges<Self>)
}
