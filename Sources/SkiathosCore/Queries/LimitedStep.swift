import SkiathosStore

/// A step of a query that is refused behind a limit or an offset, since it would be done before them.
@usableFromInline
enum LimitedStep: String {
    case `where`
    case order
    case matching
    case grouped
    case distinct
    case having

    /// What does the step to the limited rows.
    fileprivate var advice: String {
        switch self {
        case .where, .matching:
            "Write it before the limit, or choose among the limited rows by limited.intersection(others)"
        case .order:
            "Write it before the limit, or sort the limited rows by query.intersection(limited).order"
        case .grouped:
            "Limit the groups behind it, or group the limited rows by query.intersection(limited).grouped"
        case .distinct, .having: "Write it before the limit"
        }
    }

    /// The error of a query of an entity.
    func refusal<E: Entity>(of entity: E.Type) -> DataAccessError {
        DataAccessError(
            .invalidRequest,
            "A query of \(E.schema.typeName) has \(rawValue) behind a limit or an offset, but it would be done before them. \(advice)."
        )
    }
}

extension Query {
    /// Whether the number of rows is limited, or some are skipped.
    @inlinable var isLimited: Bool { rowLimit != nil || rowOffset != 0 }

    /// The condition of a query whose last step is refused.
    @usableFromInline
    func refused(_ step: LimitedStep) -> Condition<E> {
        // An earlier mistake is named first.
        Condition(condition.predicate.flatMap { _ in .failure(step.refusal(of: E.self)) })
    }
}
