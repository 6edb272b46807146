public import SkiathosStore

/// A condition while a query is being made: what it is so far, or the first mistake in it, and its extent.
///
/// A value that cannot be stored, such as NaN, is found while the condition is made, where nothing can be
/// thrown; the query throws it.
@usableFromInline
struct BuiltCondition: Sendable {
    @usableFromInline let predicate: Result<StorePredicate, any Error>
    @usableFromInline let extent: Extent
    /// Where more parts can be joined to it, if it is a long list.
    let ends: PartList.Ends?

    /// Takes a condition of a known extent, unless it is too deep or too large.
    @usableFromInline
    init(_ predicate: Result<StorePredicate, any Error>, _ extent: Extent) {
        self.init(predicate, extent, nil)
    }

    init(
        _ predicate: Result<StorePredicate, any Error>, _ extent: Extent, _ ends: PartList.Ends?
    ) {
        self.ends = ends
        guard let refusal = extent.refusal else {
            self.predicate = predicate
            self.extent = extent
            return
        }
        self.predicate = .failure(refusal)
        self.extent = .leaf
    }

    /// Takes any condition.
    @usableFromInline
    init(_ predicate: Result<StorePredicate, any Error>) {
        guard case .success(let known) = predicate else {
            self.init(predicate, .leaf)
            return
        }
        self.init(predicate, Extent(of: .predicate(known)))
    }

    /// A comparison of two expressions, or the first error that one of them has.
    @usableFromInline
    static func comparing(
        _ left: Result<StoreExpression, any Error>, _ comparison: StorePredicate.Comparison,
        _ right: Result<StoreExpression, any Error>, _ extent: Extent
    ) -> BuiltCondition {
        switch (left, right) {
        case (.success(let left), .success(let right)):
            BuiltCondition(.success(.comparing(left, comparison, right)), extent)
        case (.failure(let error), _), (_, .failure(let error)):
            BuiltCondition(.failure(error), .leaf)
        }
    }

    /// The opposite of a condition.
    @usableFromInline var negated: BuiltCondition {
        BuiltCondition(predicate.map { .not($0) }, extent.around)
    }

    /// The same with the names of rows resolved.
    func resolved(_ rows: RowResolution) -> BuiltCondition {
        BuiltCondition(predicate.map { rows.resolve($0) })
    }
}

extension BuiltCondition {
    /// How deep a condition may be whose parts are joined in pairs, as they are written.
    private static let deepestPair: Int32 = 16

    /// Two conditions joined, or the first error that one of them has.
    ///
    /// A few are joined in pairs. A chain of more becomes a list, which stays shallow.
    @usableFromInline
    static func joining(
        _ left: BuiltCondition, _ right: BuiltCondition, isAll: Bool
    ) -> BuiltCondition {
        guard case .success(let first) = left.predicate else { return left }
        guard case .success(let second) = right.predicate else { return right }
        let extent = Extent.joining(left.extent, right.extent)
        guard extent.depth > deepestPair else {
            return BuiltCondition(
                .success(isAll ? .all([first, second]) : .any([first, second])), extent)
        }
        let (head, tail) = (PartList(left, isAll: isAll), PartList(right, isAll: isAll))
        // The larger list stays as it is, and the other one becomes a part of it.
        var list: PartList
        if let tail, head == nil || left.extent.size < right.extent.size {
            list = tail
            list.prepend(first, left.extent)
        } else {
            list = head ?? PartList(first, left.extent, isAll: isAll)
            list.append(second, right.extent)
        }
        return BuiltCondition(
            .success(list.predicate), Extent(depth: list.depth, size: extent.size), list.ends)
    }
}
