import SkiathosStore

extension DataAccessLayer {
    /// The value of a read: at first as it is, and then whenever a commit has changed it.
    ///
    /// ```swift
    /// for try await adults in dal.observe({ try User.count(where: { $0.age >= 18 }, in: $0) }) {
    ///     print(adults)
    /// }
    /// // SELECT count(*) FROM "user" WHERE ("age" >= 18), and again after a commit in which a row
    /// // has entered or left that condition
    /// ```
    ///
    /// It is read again after a commit that may have changed rows on which it depends, and returned
    /// if it differs from the last one. Commits that come while the loop is busy count as one
    /// change; the last is never missed. A store that is opened for reading only notices the
    /// commits of another process within `Configuration.commitWatchInterval`.
    ///
    /// The loop ends when the data access layer is closed, or its task cancelled. An error of
    /// the first read is thrown. Errors of later reads are reported to the error handler of
    /// the configuration as `observation`, and the next change leads to another read.
    ///
    /// - Parameters:
    ///   - interval: The shortest time between two values; without one, values come as they change.
    ///     The last value comes at the latest when the interval has passed.
    ///   - query: Runs as a read, again and again. Its context is valid only inside it. Its
    ///     result must depend on the store alone.
    ///   - file: The file of the call, by which a warning names a read that takes too long.
    ///   - line: The line of the call.
    public func observe<T: Sendable & Equatable>(
        atMostEvery interval: Duration? = nil,
        _ query: @escaping @Sendable (ReadContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) -> ObservedValues<T> {
        ObservedValues(
            coordinator, SourcePlace(file: file, line: line), pace: interval,
            areEqual: { $0 == $1 }, query)
    }

    /// The value of a read: at first as it is, and then after every commit that may have
    /// changed it.
    ///
    /// Values that cannot be compared are returned even if they are the same as before, but
    /// only after a commit that has changed rows on which they depend.
    public func observe<T: Sendable>(
        atMostEvery interval: Duration? = nil,
        _ query: @escaping @Sendable (ReadContext) throws -> T,
        file: StaticString = #fileID, line: UInt = #line
    ) -> ObservedValues<T> {
        ObservedValues(
            coordinator, SourcePlace(file: file, line: line), pace: interval, areEqual: nil, query)
    }

    /// The rows of a query: at first as they are, and then whenever a commit has changed them.
    ///
    /// ```swift
    /// for try await adults in dal.observe(User.where { $0.age >= 18 }) { print(adults.count) }
    /// // SELECT … FROM "user" WHERE ("age" >= 18); a value after each commit that has changed users
    /// // who are adults, before or after the change
    /// ```
    ///
    /// All observers of equal queries share one read and one result. ``ObservedQuery/differences``
    /// tells what has changed instead.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - interval: The shortest time between two values; without one, values come as they change.
    ///   - file: The file of the call, by which a warning names a read that takes too long.
    ///   - line: The line of the call.
    public func observe<E: Entity>(
        _ query: Query<E>, atMostEvery interval: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> ObservedQuery<E> {
        let place = SourcePlace(file: file, line: line)
        return ObservedQuery(
            values: values(of: query, key: key([E].self, of: query), at: place, pace: interval) {
                try query.all(in: $0)
            },
            differences: ListDifferences(
                coordinator: coordinator, place: place, query: query, pace: interval))
    }

    /// The rows of several queries, all at the same version of the store.
    ///
    /// ```swift
    /// for try await (open, done) in dal.observe(Task.where { !$0.isDone }, Task.where(\.isDone)) {
    ///     print("\(done.count) of \(open.count + done.count)")    // never a task in both or none
    /// }
    /// ```
    ///
    /// A value comes after a commit that has changed the rows of any of them. All observers of an
    /// equal group share one read and one result.
    ///
    /// - Parameters:
    ///   - queries: Two queries or more, of one entity or several.
    ///   - interval: The shortest time between two values; without one, values come as they change.
    ///   - file: The file of the call, by which a warning names a read that takes too long.
    ///   - line: The line of the call.
    public func observe<each E: Entity>(
        _ queries: repeat Query<each E>, atMostEvery interval: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> ObservedValues<(repeat [each E])> {
        ObservedValues(
            coordinator, SourcePlace(file: file, line: line),
            key: key((repeat [each E]).self, of: repeat each queries), pace: interval,
            // Here, and not in a function: the compiler cannot pass two groups to one.
            areEqual: { left, right in
                for (left, right) in repeat (each left, each right) {
                    guard areStoredAlike(left, right) else { return false }
                }
                return true
            },
            { context in (repeat try (each queries).all(in: context)) })
    }

    /// Exists only for its diagnostic.
    @available(*, unavailable, message: "name the queries to observe.")
    public func observe(atMostEvery interval: Duration? = nil) -> ObservedValues<Never> {
        preconditionFailure("An observation that the compiler refuses was asked for.")
    }

    /// The row with an ID: at first as it is, and then whenever a commit has changed it.
    ///
    /// ```swift
    /// for try await user in dal.observe(id) { print(user?.name ?? "deleted") }
    /// // SELECT … FROM "user" WHERE "id" = 1; a value after each commit that has changed that row
    /// ```
    ///
    /// The value is `nil` while there is no such row, and the loop goes on;
    /// ``ObservedValues/untilDeleted()`` ends it instead.
    public func observe<E: Entity>(
        _ id: EntityID<E>, atMostEvery interval: Duration? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) -> ObservedValues<E?> {
        row(
            with: id, key: key(E?.self, of: id), at: SourcePlace(file: file, line: line),
            pace: interval
        ) { try E.find(id, in: $0) }
    }
}

extension DataAccessLayer {
    /// The rows of a query as values.
    ///
    /// - Parameters:
    ///   - query: The query.
    ///   - key: What equal queries have in common; `nil` for a query that no other observer shares.
    ///   - place: The call.
    ///   - pace: The shortest time between two values.
    ///   - read: Reads the rows.
    func values<E: Entity>(
        of query: Query<E>, key: SharedQuery?, at place: SourcePlace, pace: Duration?,
        _ read: @escaping @Sendable (ReadContext) throws -> [E]
    ) -> ObservedValues<[E]> {
        ObservedValues(
            coordinator, place, key: key, pace: pace, areEqual: areStoredAlike,
            succession: { [coordinator] in ValueSuccession(of: query, coordinator) }, read)
    }

    /// The row with an ID as a value; its parameters are those of ``values(of:key:at:pace:_:)``.
    func row<E: Entity>(
        with id: EntityID<E>, key: SharedQuery?, at place: SourcePlace, pace: Duration?,
        _ read: @escaping @Sendable (ReadContext) throws -> E?
    ) -> ObservedValues<E?> {
        ObservedValues(
            coordinator, place, key: key, pace: pace, areEqual: areStoredAlike,
            succession: { [coordinator] in ValueSuccession(of: id, coordinator) }, read)
    }

    /// What observers of the same queries share; `nil` if one of the queries is a mistake, which
    /// its read throws.
    private func key<each E: Entity>(
        _ type: Any.Type, of queries: repeat Query<each E>
    ) -> SharedQuery? {
        var requests: [FetchRequest] = []
        for query in repeat each queries {
            guard let request = request(of: query) else { return nil }
            requests.append(request)
        }
        return SharedQuery(type: ObjectIdentifier(type), requests: requests)
    }

    private func key<E: Entity>(_ type: Any.Type, of id: EntityID<E>) -> SharedQuery? {
        guard let position = coordinator.store.schema.position(of: E.self),
            let id = try? StoreValue(id, Coding.of(E.ID.self))
        else { return nil }
        let request = FetchRequest(entity: position, predicate: .contained(.column(0), [id]))
        return SharedQuery(type: ObjectIdentifier(type), requests: [request])
    }

    private func request<E: Entity>(of query: Query<E>) -> FetchRequest? {
        guard let position = coordinator.store.schema.position(of: E.self) else { return nil }
        return try? query.request(at: position)
    }
}

/// Whether the rows of both lists are stored alike; properties without a column do not count.
private func areStoredAlike<E: Entity>(_ left: [E], _ right: [E]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { areStoredAlike($0, $1) }
}

/// Whether both rows are stored alike, or there is neither.
func areStoredAlike<E: Entity>(_ left: E?, _ right: E?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.id == right.id && left.changedColumns(from: right).isEmpty
}
