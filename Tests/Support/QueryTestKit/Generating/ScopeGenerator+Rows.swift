/// Related rows.
extension ScopeGenerator {
    /// The rows that refer to some row, all or some of them; `nil` if there is no such relation.
    mutating func rows(_ scope: Scope, _ depth: Int) -> (any RowsNode)? {
        guard !scope.usableRows.isEmpty else { return nil }
        if happens(40), let kept = keptRows(scope) { return kept }
        let row = row(of: scope.usableRows, scope)
        func relation<E: ScopeEntity>(_ entity: E.Type) -> any RowsNode {
            func make<N: RelatedRows>(_ related: N) -> any RowsNode where N.E == E {
                RowsOf(row: row, related: related)
            }
            let related = pick(E.relations)
            return make(related)
        }
        let rows = relation(scope.frames[row].entity)
        guard canEnter(scope), happens(30) else { return rows }
        func filtered(_ rows: some RowsNode) -> any RowsNode {
            FilteredRows(base: rows, test: test(of: rows, scope, depth))
        }
        return filtered(rows)
    }

    /// A condition on related rows.
    mutating func test<N: RowsNode>(
        of rows: N, _ scope: Scope, _ depth: Int
    ) -> any TestNode { test(scope.entering(N.Element.self), depth - 1) }

    private mutating func keptRows(_ scope: Scope) -> (any RowsNode)? {
        for row in scope.usable {
            for (number, kept) in scope.frames[row].kept.enumerated() {
                guard let kept = kept as? any KeepableRelation, happens(60) else { continue }
                if let rows = kept.use(row, number, in: scope) { return rows }
            }
        }
        return nil
    }

    /// An operand over related rows.
    mutating func over<V: ScopeValue>(
        _ scope: Scope, _ depth: Int, _ type: V.Type,
        _ form: any RelatedForm<V>
    ) -> (any OperandNode<V>)? {
        guard canEnter(scope), let rows = rows(scope, depth) else { return nil }
        return form.make(rows, &self, scope, depth)
    }

    /// A value of a query of its own.
    mutating func queried<V: ScopeValue>(
        _ scope: Scope, _ depth: Int, _ form: any QueriedForm<V>
    ) -> (any OperandNode<V>)? {
        guard canEnter(scope) else { return nil }
        return form.make(entity(), &self, scope, depth)
    }
}

/// A variable that holds related rows.
protocol KeepableRelation: Keepable {
    func use(_ row: Int, _ number: Int, in scope: Scope) -> (any RowsNode)?
}

extension KeepableRows: KeepableRelation {
    func use(_ row: Int, _ number: Int, in scope: Scope) -> (any RowsNode)? {
        // They belong to a row of this entity, which the condition must be able to name.
        let isNamed = Marks.areKnown || scope.frames[scope.innermost].entity == Rows.Owner.self
        return isNamed ? KeptRows(row: row, number: number, base: rows) : nil
    }
}
