import SkiathosStore

/// Values among the results of a selection.
extension QueryOperand {
    /// One of the values of a selection, of any entity.
    ///
    /// ```swift
    /// Rental.where { $0.film.in(Film.where { $0.length > 180 }.select { $0.id }) }
    /// // … WHERE ("film" IN (SELECT "skiathos_1_film"."id" FROM "film" AS "skiathos_1_film"
    /// // WHERE ("skiathos_1_film"."length" > 180)))
    /// ```
    ///
    /// Inside of a closure the selection may compare with the columns of that closure. `nil` is one of the
    /// values if a result is.
    ///
    /// - Throws: when the query is run, `DataAccessError` with code `invalidRequest` for a selection that
    ///   was mapped, and `StoreError` with that code for one of aggregates.
    public func `in`<Other: Entity>(_ selection: Selection<Other, Value>) -> Condition<Root> {
        contained(in: selection)
    }

    /// One of the values of a selection that are not `nil`.
    public func `in`<Other: Entity>(_ selection: Selection<Other, Value?>) -> Condition<Root> {
        contained(in: selection)
    }

    fileprivate func contained<Other: Entity, V>(
        in selection: Selection<Other, V>
    ) -> Condition<Root> {
        Condition(
            expression.source.flatMap { source in
                selection.stored.map { selection in
                    let condition = StorePredicate.containedIn(source, selection)
                    // Inside of further closures, the outermost row has a place when these have ended.
                    return RowClosure.isInside
                        ? condition : QueryRow.outermost.of(Root.self, condition)
                }
            })
    }
}

extension QueryOperand where Value: OptionalColumnValue {
    /// One of the values of a selection, none of which is `nil`; `nil` is none of them.
    public func `in`<Other: Entity>(
        _ selection: Selection<Other, Value.Wrapped>
    ) -> Condition<Root> { contained(in: selection) }
}

extension Selection {
    /// The selection as a set of values.
    fileprivate var stored: Result<StoreSelection, any Error> {
        Result {
            let results = try results.get()
            guard areOrdered != nil, results.count == 1, try groups.get().isEmpty else {
                throw DataAccessError(
                    .invalidRequest,
                    "A query looks for a value among the results of a mapped selection of \(E.schema.typeName), which the store does not have. Select the one column, without map."
                )
            }
            // The position of the entity makes no difference to the rest.
            let request = try query.request(at: 0)
            return StoreSelection(
                E.schema, results[0],
                of: StoreRows(
                    where: request.predicate, order: request.order, limit: request.limit,
                    offset: request.offset), isDistinct: isDistinct)
        }
    }
}
