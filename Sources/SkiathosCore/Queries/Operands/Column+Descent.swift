import SkiathosStore

/// Conditions along a reference from an entity to itself, such as a category's parent or an
/// employee's manager.
extension Column where Value == EntityID<E>? {
    /// Following the reference again and again leads to a row: it is below that row.
    ///
    /// ```swift
    /// try Employee.all(where: { $0.manager.descends(from: boss.id) }, in: context)
    /// // … WHERE ("id" IN (WITH RECURSIVE "skiathos_tree"(id) AS (SELECT … UNION SELECT …) …))
    /// ```
    ///
    /// The row itself is not included, unless a cycle leads back to it.
    public func descends(from id: EntityID<E>) -> Condition<E> { descends(from: [id]) }

    /// Following the reference again and again leads to one of several rows.
    public func descends(from ids: [EntityID<E>]) -> Condition<E> {
        descent(.descendants, ids.map { $0 })
    }

    /// Following the reference again and again from a row leads here: this row is above it.
    ///
    /// ```swift
    /// try Category.all(where: { $0.parent.isAbove(category.id) }, in: context)
    /// ```
    public func isAbove(_ id: EntityID<E>) -> Condition<E> { isAbove([id]) }

    /// Following the reference again and again from one of several rows leads here.
    public func isAbove(_ ids: [EntityID<E>]) -> Condition<E> {
        descent(.ancestors, ids.map { $0 })
    }

    private func descent(
        _ direction: StorePredicate.Descent, _ ids: [EntityID<E>?]
    ) -> Condition<E> {
        Condition(
            Result {
                row.of(E.self, .descent(position, direction, of: try ids.map(coding.encode)))
            })
    }
}

extension Entity {
    /// The rows below a row along a reference to the entity itself, at any depth.
    ///
    /// ```swift
    /// let team = Employee.descendants(of: boss.id, along: \.manager)
    /// try team.order { $0.name.ascending }.all(in: context)
    /// ```
    public static func descendants(
        of id: EntityID<Self>, along reference: KeyPath<Columns, Column<Self, EntityID<Self>?>>
    ) -> Query<Self> {
        Query(columns[keyPath: reference].descends(from: id))
    }

    /// The rows above a row along a reference to the entity itself, at any height.
    ///
    /// ```swift
    /// let path = try Category.ancestors(of: category.id, along: \.parent).all(in: context)
    /// ```
    ///
    /// They come in no particular order; sort them by a column.
    public static func ancestors(
        of id: EntityID<Self>, along reference: KeyPath<Columns, Column<Self, EntityID<Self>?>>
    ) -> Query<Self> {
        Query(columns[keyPath: reference].isAbove(id))
    }
}
