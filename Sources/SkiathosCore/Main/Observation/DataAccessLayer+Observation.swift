extension DataAccessLayer {
    /// The value of a read: at first as it is, and then whenever a commit has changed it.
    ///
    /// ```swift
    /// for try await adults in dal.observe({ try User.all(where: { $0.age >= 18 }, in: $0) }) {
    ///     print(adults.count)
    /// }
    /// ```
    ///
    /// It is read again after a commit that may have changed rows of an entity that was read,
    /// and returned if it differs from the last one. Commits that come while the loop is busy
    /// count as one change; the last is never missed. Writes of another process are not
    /// observed.
    ///
    /// The loop ends when the data access layer is closed, or its task cancelled. An error of
    /// the first read is thrown. Errors of later reads are reported to the error handler of
    /// the configuration as `observation`, and the next change leads to another read.
    ///
    /// - Parameters:
    ///   - query: Runs as a read, again and again. Its context is valid only inside it. Its
    ///     result must depend on the store alone.
    ///   - file: The file of the call, by which a warning names a read that takes too long.
    ///   - line: The line of the call.
    public func observe<T: Sendable & Equatable>(
        _ query: @escaping @Sendable (ReadContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) -> ObservedValues<T> {
        ObservedValues(
            coordinator: coordinator, place: SourcePlace(file: file, line: line), query: query,
            areEqual: { $0 == $1 })
    }

    /// The value of a read: at first as it is, and then after every commit that may have
    /// changed it.
    ///
    /// Values that cannot be compared are returned even if they are the same as before, but
    /// only after a commit that has touched an entity that was read.
    public func observe<T: Sendable>(
        _ query: @escaping @Sendable (ReadContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) -> ObservedValues<T> {
        ObservedValues(
            coordinator: coordinator, place: SourcePlace(file: file, line: line), query: query,
            areEqual: nil)
    }

    /// The values of the rows of a query: at first as they are, and then whenever a commit has
    /// changed them.
    ///
    /// ```swift
    /// for try await adults in dal.observe(User.where { $0.age >= 18 }) { print(adults.count) }
    /// ```
    public func observe<E: Entity & Equatable>(
        _ query: Query<E>, file: StaticString = #fileID, line: UInt = #line
    ) -> ObservedValues<[E]> {
        ObservedValues(
            coordinator: coordinator, place: SourcePlace(file: file, line: line),
            query: { try query.all(in: $0) },
            // Equal if `==` holds, for properties without a column, and the columns are stored
            // alike.
            areEqual: { $0 == $1 && $0.elementsEqual($1, by: { $0.isStored(like: $1) }) })
    }

    /// The values of the rows of a query: at first as they are, and then after every commit
    /// that may have changed them.
    public func observe<E: Entity>(
        _ query: Query<E>, file: StaticString = #fileID, line: UInt = #line
    ) -> ObservedValues<[E]> {
        observe({ try query.all(in: $0) }, file: file, line: line)
    }

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

extension Entity {
    /// Whether the rows of both values are the same.
    fileprivate func isStored(like other: Self) -> Bool {
        id == other.id && changedColumns(from: other).isEmpty
    }
}
