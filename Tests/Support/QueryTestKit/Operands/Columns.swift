package import Skiathos

/// A column of a row.
struct ColumnNode<E: ScopeEntity, Value: ScopeValue>: OperandNode {
    let row: Int
    let field: Field<E, Value>
    /// Whether it is taken of the columns that no closure has got: those of the outermost row.
    var isStatic = false

    var description: String { "\(isStatic ? "\(E.self)" : name(row)).\(field.name)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, Value> {
        let columns = isStatic ? E.columns : stack.columns(row, of: E.self)
        return field.column(columns).expression.within(R.self)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> Value {
        E.rows(in: world)[rows[row]][keyPath: field.path]
    }
}

/// A reference, or several in succession, that leads to a row.
package protocol PathStep<E>: Sendable {
    associatedtype E: ScopeEntity
    associatedtype Target: ScopeEntity
    var name: String { get }
    /// The row that the references of a row lead to.
    func target(_ world: ScopeWorld, _ row: Int) -> Int?
    /// The references lead to a row that meets a condition.
    func matches(
        _ columns: E.Columns, _ condition: (Target.Columns) -> Condition<Target>
    ) -> Condition<E>
    /// A column of that row.
    func column<V: ScopeValue>(
        _ columns: E.Columns, _ field: Field<Target, V>
    )
        -> ColumnExpression<E, V?>
    /// A column of that row which may have no value.
    func optional<V: ScopeValue>(
        _ columns: E.Columns, _ field: Field<Target, V?>
    )
        -> ColumnExpression<E, V?>
}

/// References, of which the last one may lead nowhere.
package struct Path<E: ScopeEntity, Target: ScopeEntity>: PathStep {
    package let name: String
    private let path: @Sendable (E.Columns) -> any ColumnPath<E, EntityID<Target>?>
    private let target: @Sendable (ScopeWorld, Int) -> Int?

    init(
        _ name: String,
        _ path: @escaping @Sendable (E.Columns) -> any ColumnPath<E, EntityID<Target>?>,
        _ target: @escaping @Sendable (ScopeWorld, Int) -> Int?
    ) {
        self.name = name
        self.path = path
        self.target = target
    }

    package func target(_ world: ScopeWorld, _ row: Int) -> Int? { target(world, row) }

    package func matches(
        _ columns: E.Columns, _ condition: (Target.Columns) -> Condition<Target>
    ) -> Condition<E> {
        func match(_ path: some ColumnPath<E, EntityID<Target>?>) -> Condition<E> {
            path.matches { condition($0) }
        }
        return match(path(columns))
    }

    package func column<V: ScopeValue>(
        _ columns: E.Columns, _ field: Field<Target, V>
    ) -> ColumnExpression<E, V?> {
        func follow(_ path: some ColumnPath<E, EntityID<Target>?>) -> ColumnExpression<E, V?> {
            let related: RelatedColumn<E, V?> = path[dynamicMember: member(field)]
            return related.expression
        }
        return follow(path(columns))
    }

    package func optional<V: ScopeValue>(
        _ columns: E.Columns, _ field: Field<Target, V?>
    ) -> ColumnExpression<E, V?> {
        func follow(_ path: some ColumnPath<E, EntityID<Target>?>) -> ColumnExpression<E, V?> {
            let related: RelatedColumn<E, V?> = path[dynamicMember: member(field)]
            return related.expression
        }
        return follow(path(columns))
    }
}

/// A reference that every row has.
package struct RequiredPath<E: ScopeEntity, Target: ScopeEntity>: PathStep {
    package let name: String
    private let path: @Sendable (E.Columns) -> Column<E, EntityID<Target>>
    private let target: @Sendable (ScopeWorld, Int) -> Int?

    init(
        _ name: String, _ path: @escaping @Sendable (E.Columns) -> Column<E, EntityID<Target>>,
        _ target: @escaping @Sendable (ScopeWorld, Int) -> Int?
    ) {
        self.name = name
        self.path = path
        self.target = target
    }

    package func target(_ world: ScopeWorld, _ row: Int) -> Int? { target(world, row) }

    package func matches(
        _ columns: E.Columns, _ condition: (Target.Columns) -> Condition<Target>
    ) -> Condition<E> { path(columns).matches { condition($0) } }

    // The row may be missing although the reference is not.
    package func column<V: ScopeValue>(
        _ columns: E.Columns, _ field: Field<Target, V>
    ) -> ColumnExpression<E, V?> {
        let related: RelatedColumn<E, V> = path(columns)[dynamicMember: member(field)]
        return related.optional
    }

    package func optional<V: ScopeValue>(
        _ columns: E.Columns, _ field: Field<Target, V?>
    ) -> ColumnExpression<E, V?> {
        let related: RelatedColumn<E, V?> = path(columns)[dynamicMember: member(field)]
        return related.expression
    }
}

/// A column as a member of the columns, as the compiler writes `reference.column`.
private func member<E: ScopeEntity, V: Sendable>(
    _ field: Field<E, V>
) -> KeyPath<E.Columns, Column<E, V>> {
    let path: WritableKeyPath<E, V> = field.path
    return \TableColumns<E>.[dynamicMember: path]
}

/// A column of the row that references of a row lead to.
struct PathNode<P: PathStep, V: WrappedScopeValue>: OperandNode {
    let row: Int
    let path: P
    let field: Field<P.Target, V>

    var description: String { "\(name(row)).\(path.name).\(field.name)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, V?> {
        path.column(stack.columns(row, of: P.E.self), field).within(R.self)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> V? {
        path.target(world, rows[row]).map { P.Target.rows(in: world)[$0][keyPath: field.path] }
    }
}

/// The same for a column that may have no value.
struct OptionalPathNode<P: PathStep, V: WrappedScopeValue>: OperandNode {
    let row: Int
    let path: P
    let field: Field<P.Target, V?>

    var description: String { "\(name(row)).\(path.name).\(field.name)" }

    func native<R: ScopeEntity>(_ stack: Stack) -> ColumnExpression<R, V?> {
        path.optional(stack.columns(row, of: P.E.self), field).within(R.self)
    }

    func value(_ world: ScopeWorld, _ rows: [Int]) -> V? {
        path.target(world, rows[row]).flatMap { P.Target.rows(in: world)[$0][keyPath: field.path] }
    }
}

/// The reference of a row leads to a row that meets a condition.
struct MatchesNode<P: PathStep>: TestNode {
    let row: Int
    let path: P
    let test: any TestNode

    var description: String { "\(name(row)).\(path.name).matches{\(test)}" }

    func native<R: ScopeEntity>(_ stack: Stack) -> Condition<R> {
        path.matches(stack.columns(row, of: P.E.self), test.closure(P.Target.self, stack))
            .within(R.self)
    }

    func holds(_ world: ScopeWorld, _ rows: [Int]) -> Bool {
        path.target(world, rows[row]).map { test.holds(world, rows + [$0]) } ?? false
    }
}
