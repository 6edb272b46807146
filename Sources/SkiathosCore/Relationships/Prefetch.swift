import SkiathosStore

/// A relationship that is loaded together with the rows of a query.
@usableFromInline
struct Prefetch<E: Entity>: Sendable {
    let loadForValues: @Sendable ([E], ReadContext) throws -> Void
    let loadForObjects: @Sendable ([Managed<E>], WriteContext) throws -> Void
}

extension Query {
    /// Loads the rows that a reference leads to, in one statement, as soon as the rows are fetched.
    ///
    /// Relationships are loaded for all rows at the first access to one. This moves the
    /// loading to the fetch, and can continue with the relationships of the loaded rows.
    ///
    /// ```swift
    /// let tracks = Track.query.prefetching(\.album) { $0.prefetching(\.artist) }
    /// // three statements, whatever is looked at afterwards
    /// ```
    ///
    /// - Parameters:
    ///   - reference: A stored reference of the entity; anything else traps.
    ///   - nested: Adds relationships that are prefetched for the loaded rows. Conditions,
    ///     sort keys and limits of that query do not count.
    @inlinable
    public func prefetching<Target: Entity>(
        _ reference: any KeyPath<E, EntityID<Target>?> & Sendable,
        _ nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Query {
        prefetching(
            nested,
            values: { try $1.load(reference, ofAll: $0) { $0[keyPath: reference] } },
            objects: { objects, context in
                try objects.compactMap { try $0.related(reference, in: context) }
            })
    }

    /// Loads the rows that a reference leads to, in one statement, as soon as the rows are fetched.
    @inlinable
    public func prefetching<Target: Entity>(
        _ reference: any KeyPath<E, EntityID<Target>> & Sendable,
        _ nested: (Query<Target>) -> Query<Target> = { $0 }
    ) -> Query {
        prefetching(
            nested,
            values: { try $1.load(reference, ofAll: $0) { $0[keyPath: reference] } },
            objects: { objects, context in
                try objects.compactMap { try $0.related(reference, in: context) }
            })
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
        prefetchingEach(
            nested, ofValue: { try $0[keyPath: property].all(in: $1) },
            ofObject: {
                let related = $0.current[keyPath: property]
                return try related.all(in: $1)
            })
    }

    /// Loads the rows that links connect with those of the query, in two statements, as soon as
    /// these are fetched.
    public func prefetching<Element: Entity, Link: Entity>(
        _ property: any KeyPath<E, ManyToMany<Element, Link>> & Sendable,
        _ nested: (Query<Element>) -> Query<Element> = { $0 }
    ) -> Query {
        prefetchingEach(
            nested, ofValue: { try $0[keyPath: property].all(in: $1) },
            ofObject: {
                let related = $0.current[keyPath: property]
                return try related.all(in: $1)
            })
    }

    /// Loads the related rows of each row of the query.
    private func prefetchingEach<Other: Entity>(
        _ nested: (Query<Other>) -> Query<Other>,
        ofValue rows: @escaping @Sendable (E, ReadContext) throws -> [Other],
        ofObject objects: @escaping @Sendable (Managed<E>, WriteContext) throws -> [Managed<Other>]
    ) -> Query {
        prefetching(
            nested,
            values: { values, context in try values.flatMap { try rows($0, context) } },
            objects: { all, context in try all.flatMap { try objects($0, context) } })
    }

    @usableFromInline
    func prefetching<Other: Entity>(
        _ nested: (Query<Other>) -> Query<Other>,
        values loadValues: @escaping @Sendable ([E], ReadContext) throws -> [Other],
        objects loadObjects:
            @escaping @Sendable ([Managed<E>], WriteContext) throws -> [Managed<Other>]
    ) -> Query {
        let prefetches = nested(Query<Other>()).prefetches
        let prefetch = Prefetch<E>(
            loadForValues: { try $1.load(prefetches, for: try loadValues($0, $1)) },
            loadForObjects: { try $1.load(prefetches, for: try loadObjects($0, $1)) })
        return with { $0.prefetches.append(prefetch) }
    }
}
