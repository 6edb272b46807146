/// Operands that may have no value.
extension ScopeGenerator {
    mutating func optional<V: OrderedScopeValue>(
        _ type: V.Type, _ scope: Scope, _ depth: Int
    ) -> any OperandNode<V?> {
        guard descends(depth) else { return optionalColumn(type, scope) }
        let made: (any OperandNode<V?>)? =
            switch below(6) {
            case 0: over(scope, depth, V?.self, ExtremeForm<V>())
            case 1: queried(scope, depth, QueryExtremeForm<V>())
            case 2:
                OptionalCoalescingNode(
                    first: optionalColumn(type, scope), second: operand(V?.self, scope, depth - 1))
            default: nil
            }
        return made ?? optionalColumn(type, scope)
    }

    /// A column of a row or of one that references lead to.
    mutating func optionalColumn<V: WrappedScopeValue>(
        _ type: V.Type, _ scope: Scope
    ) -> any OperandNode<V?> {
        if happens(50), let related = related(type, scope) { return related }
        if let column = column(V?.self, scope) { return column }
        if let column = column(V.self, scope) { return OptionalNode(operand: column) }
        guard let related = related(type, scope) else {
            preconditionFailure("No row has or refers to a column of \(type).")
        }
        return related
    }

    private mutating func related<V: WrappedScopeValue>(
        _ type: V.Type, _ scope: Scope
    ) -> (any OperandNode<V?>)? {
        guard !scope.usableRows.isEmpty else { return nil }
        let row = row(of: scope.usableRows, scope)
        func follow<E: ScopeEntity>(_ entity: E.Type) -> (any OperandNode<V?>)? {
            func make<P: PathStep>(_ path: P) -> (any OperandNode<V?>)? where P.E == E {
                let optional = V.optionalFields(of: P.Target.self)
                if !optional.isEmpty, happens(30) {
                    return OptionalPathNode<P, V>(row: row, path: path, field: pick(optional))
                }
                let fields = V.fields(of: P.Target.self)
                guard !fields.isEmpty else { return nil }
                return PathNode(row: row, path: path, field: pick(fields))
            }
            let path = pick(E.paths)
            return make(path)
        }
        return follow(scope.frames[row].entity)
    }

    /// The number of connections of a row, or the sum over connected rows.
    mutating func connections(_ scope: Scope, _ depth: Int) -> (any OperandNode<Int>)? {
        guard !scope.usableRows.isEmpty else { return nil }
        let row = row(of: scope.usableRows, scope)
        func connect<E: ScopeEntity>(_ entity: E.Type) -> (any OperandNode<Int>)? {
            func make<C: ConnectedRows>(_ connected: C) -> any OperandNode<Int> where C.E == E {
                guard canEnter(scope), happens(70) else {
                    return ConnectionCountNode(row: row, connected: connected)
                }
                let inner = scope.entering(C.Element.self)
                return ConnectionSumNode(
                    row: row, connected: connected, operand: operand(Int.self, inner, depth - 1))
            }
            guard !E.connections.isEmpty else { return nil }
            let connected = pick(E.connections)
            return make(connected)
        }
        return connect(scope.frames[row].entity)
    }
}
