import SkiathosStore

/// A relationship that is loaded together with the rows of a query.
struct Prefetch<E: Entity>: Sendable {
    let loadForValues: @Sendable ([E], ReadContext) throws -> Void
    let loadForObjects: @Sendable ([Managed<E>], WriteContext) throws -> Void
}

extension Query {
    /// Loads the rows that a reference leads to, in one statement, as soon as the rows are fetched.
    ///
    /// Relationships are loaded for all rows at the first look at one; this moves the loading to
    /// the fetch, and can go on to the relationships of what was loaded.
    ///
    /// ```swift
    /// let tracks = Track.query.prefetching(\.album) { $0.prefetching(\.artist) }
    /// // three statements, whatever is looked at afterwards
    /// ```
    ///
    /// - Parameters:
    ///   - reference: A stored reference of the entity; anything else traps.
    ///   - nested: Adds what shall be prefetched for the loaded rows. Conditions, sort keys and
    ///     limits of that query do not count.
    public func prefetching<Target: Entity>(
        _ reference: any KeyPath<E, EntityID<Target>?> & Sendable,
        _ nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Query {
        prefetching(
            nested, values: { try $0.related(reference, in: $1).map { [$0] } ?? [] },
            objects: { try $0.related(reference, in: $1).map { [$0] } ?? [] })
    }

    /// Loads the rows that a reference leads to, in one statement, as soon as the rows are fetched.
    public func prefetching<Target: Entity>(
        _ reference: any KeyPath<E, EntityID<Target>> & Sendable,
        _ nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Query {
        prefetching(
            nested, values: { try $0.related(reference, in: $1).map { [$0] } ?? [] },
            objects: { try $0.related(reference, in: $1).map { [$0] } ?? [] })
    }

    /// Loads the rows that refer to those of the query, in one statement, as soon as these are
    /// fetched.
    ///
    /// ```swift
    /// let artists = Artist.query.prefetching(\.albums) { $0.prefetching(\.tracks) }
    /// ```
    public func prefetching<Element: Entity>(
        _ property: any KeyPath<E, ToMany<Element>> & Sendable,
        _ nested: (Query<Element>) -> Query<Element> = { $0 }
    ) -> Query {
        prefetching(
            nested, values: { try $0[keyPath: property].all(in: $1) },
            objects: { try $0.current[keyPath: property].all(in: $1) })
    }

    /// Loads the rows that links connect with those of the query, in two statements, as soon as
    /// these are fetched.
    public func prefetching<Element: Entity, Link: Entity>(
        _ property: any KeyPath<E, ManyToMany<Element, Link>> & Sendable,
        _ nested: (Query<Element>) -> Query<Element> = { $0 }
    ) -> Query {
        prefetching(
            nested, values: { try $0[keyPath: property].all(in: $1) },
            objects: { try $0.current[keyPath: property].all(in: $1) })
    }

    private func prefetching<Other: Entity>(
        _ nested: (Query<Other>) -> Query<Other>,
        values load: @escaping @Sendable (E, ReadContext) throws -> [Other],
        objects loadObjects:
            @escaping @Sendable (Managed<E>, WriteContext) throws -> [Managed<Other>]
    ) -> Query {
        let prefetches = nested(Query<Other>()).prefetches
        // The first look loads for all rows; the others find what they need.
        return adding(
            Prefetch(
                loadForValues: { values, context in
                    let loaded = try values.flatMap { try load($0, context) }
                    for prefetch in prefetches { try prefetch.loadForValues(loaded, context) }
                },
                loadForObjects: { objects, context in
                    let loaded = try objects.flatMap { try loadObjects($0, context) }
                    for prefetch in prefetches { try prefetch.loadForObjects(loaded, context) }
                }))
    }

    private func adding(_ prefetch: Prefetch<E>) -> Query {
        with { $0.prefetches.append(prefetch) }
    }
}
