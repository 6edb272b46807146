import Skiathos

/// Queries for rows.
extension ScopedQueries {
    /// Rows by a condition, an order, a limit and an offset: themselves, their IDs and their number.
    mutating func fetched<E: ScopeEntity>(_ entity: E.Type) -> ScopedQuery {
        let scope = scope(of: E.self)
        let test = test(scope, max(3, generator.mostScopes))
        let keys = (0..<generator.pick([0, 0, 1, 2])).map { _ in sortKey(scope, E.self) }
        let limit = generator.happens(20) ? generator.below(6) : nil
        let offset = generator.happens(10) ? generator.below(3) : 0
        let (base, name, chosen) = base(E.self, test)
        var found = sorted(chosen, keys)
        found = Array(found.dropFirst(offset).prefix(limit ?? .max))
        let query = base.order { columns in keys.map { $0.ordering(columns) } }
            .limit(limit).offset(offset)
        let (count, ids) = (found.count, found.map { [id(E.self, $0)] })
        let isOrdered = !keys.isEmpty || limit != nil || offset > 0
        return ScopedQuery(
            text:
                "\(E.self)\(name).order{\(keys.map(\.text))}.limit(\(limit ?? -1)).offset(\(offset))",
            expected: ids, isOrdered: isOrdered,
            forms: [
                { try query.all(in: $0).map { [$0.id.datum] } },
                { context in
                    let ids = try query.ids(in: context)
                    let isThere = try query.exists(in: context)
                    let counted = try query.count(in: context)
                    let first = try query.first(in: context)
                    guard counted == count, isThere == (count > 0), (first != nil) == isThere else {
                        throw WrongCount(counted: counted, isThere: isThere, expected: count)
                    }
                    return ids.map { [$0.datum] }
                },
            ])
    }

    /// A query without an order: by a condition, by one of two, or below or above a row as well.
    private mutating func base<E: ScopeEntity>(
        _ entity: E.Type, _ test: any TestNode
    ) -> (query: Query<E>, text: String, rows: [Int]) {
        let (query, found) = (E.where(closure(test)), rows(E.self, test))
        switch generator.below(10) {
        case 0:
            let other = generator.test(scope(of: E.self), 2)
            return (
                query.or(E.where(closure(other))), ".where{\(test)}.or{\(other)}",
                Set(found).union(rows(E.self, other)).sorted()
            )
        case 1 where !E.descents.isEmpty:
            let reference = generator.pick(E.descents)
            let all = E.rows(in: world)
            let row = generator.below(all.count)
            let isAbove = generator.happens(50)
            let tree =
                isAbove
                ? E.ancestors(of: all[row].id, along: reference.member)
                : E.descendants(of: all[row].id, along: reference.member)
            return (
                tree.where(closure(test)),
                ".\(isAbove ? "ancestors" : "descendants")(of: \(all[row].id)).where{\(test)}",
                found.filter {
                    isAbove
                        ? reference.leads(from: row, to: $0, world)
                        : reference.leads(from: $0, to: row, world)
                }
            )
        default: return (query, ".where{\(test)}", found)
        }
    }

    /// The rows of two queries with limits of their own, as sets.
    mutating func combined<E: ScopeEntity>(_ entity: E.Type) -> ScopedQuery {
        let (first, second) = (limited(E.self), limited(E.self))
        let (left, right) = (Set(first.rows), Set(second.rows))
        let (name, query, rows) =
            switch generator.below(3) {
            case 0: ("union", first.query.union(second.query), left.union(right))
            case 1:
                (
                    "intersection", first.query.intersection(second.query),
                    left.intersection(right)
                )
            default:
                ("subtracting", first.query.subtracting(second.query), left.subtracting(right))
            }
        let key = sortKey(scope(of: E.self), E.self)
        let form = query.order { key.ordering($0) }
        return ScopedQuery(
            text: "\(first.text).\(name)(\(second.text)).order{\(key.text)}",
            expected: sorted(Array(rows), [key]).map { [id(E.self, $0)] }, isOrdered: true,
            forms: [{ try form.ids(in: $0).map { [$0.datum] } }])
    }

    private mutating func limited<E: ScopeEntity>(
        _ entity: E.Type
    ) -> (text: String, query: Query<E>, rows: [Int]) {
        let scope = scope(of: E.self)
        let (test, key) = (test(scope, 2), sortKey(scope, E.self))
        let limit = generator.happens(50) ? generator.below(5) + 1 : nil
        let found = sorted(rows(E.self, test), [key]).prefix(limit ?? .max)
        return (
            "\(E.self).where{\(test)}.order{\(key.text)}.limit(\(limit ?? -1))",
            E.where(closure(test)).order { key.ordering($0) }.limit(limit), Array(found)
        )
    }
}

/// A query counts other rows than it fetches.
private struct WrongCount: Error {
    let counted: Int
    let isThere: Bool
    let expected: Int
}
