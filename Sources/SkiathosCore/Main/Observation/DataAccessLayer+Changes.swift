extension DataAccessLayer {
    /// The changes of the rows of an entity by each committed write, from this call on.
    ///
    /// ```swift
    /// for try await event in dal.changes(of: User.self) {
    ///     switch event {
    ///     case .changes(let changes) where changes.isComplete: print(changes.inserted)
    ///     case .changes, .missed: print("look at all users again")
    ///     }
    /// }
    /// ```
    ///
    /// Writes that were rolled back, or that were lost after they had returned as merged, do
    /// not appear. The first changeset may be incomplete if a write was under way at the call.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - limit: How many changesets are kept for the loop, at least 1. When the buffer is
    ///     full, the oldest are dropped, and the loop receives their number.
    public func changes<E: Entity>(
        of entity: E.Type, buffering limit: Int = 1_000
    ) -> ChangeFeed<E> {
        ChangeFeed(coordinator, limit: limit)
    }
}
