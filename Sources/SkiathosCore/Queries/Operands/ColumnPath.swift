import SkiathosStore

/// A column, of the row itself or of one that references lead to.
///
/// Where its values are references, the columns and relations of the entity that they lead to
/// are its members. A missing row has no values.
@dynamicMemberLookup
public protocol ColumnPath<Root, Value>: QueryOperand {
    /// The positions of the references that lead to the column, and its own.
    var path: [Int] { get }
    /// The row that the path begins at.
    var row: QueryRow { get }
}

/// A column of a row that references lead to.
public struct RelatedColumn<Root: Entity, Value: Sendable>: ColumnPath {
    /// The positions of the references that lead to the column, and its own.
    public let path: [Int]
    /// The row that the path begins at.
    public let row: QueryRow

    let coding: ValueCoding<Value>

    init(_ path: [Int], _ coding: ValueCoding<Value>, of row: QueryRow) {
        self.path = path
        self.coding = coding
        self.row = row
    }

    /// The column in the general form of operands.
    public var expression: ColumnExpression<Root, Value> {
        let leaf = StoreExpression.column(path[path.count - 1])
        return ColumnExpression(
            row.of(Root.self, path.dropLast().reversed().reduce(leaf) { .through($1, $0) }), coding)
    }
}

extension ColumnPath {
    /// A column of the row that a reference leads to.
    public subscript<Target: Entity, V: Sendable>(
        dynamicMember keyPath: KeyPath<Target.Columns, Column<Target, V>>
    ) -> RelatedColumn<Root, V> where Value == EntityID<Target> {
        let column = Target.columns[keyPath: keyPath]
        return RelatedColumn(path + column.path, column.coding, of: row)
    }

    /// A column of the row that a reference may lead to.
    public subscript<Target: Entity, V: Sendable>(
        dynamicMember keyPath: KeyPath<Target.Columns, Column<Target, V>>
    ) -> RelatedColumn<Root, V?> where Value == EntityID<Target>? {
        let column = Target.columns[keyPath: keyPath]
        return RelatedColumn(path + column.path, column.coding.optional, of: row)
    }

    /// A column of the row that a reference may lead to.
    public subscript<Target: Entity, V: Sendable & OptionalColumnValue>(
        dynamicMember keyPath: KeyPath<Target.Columns, Column<Target, V>>
    ) -> RelatedColumn<Root, V> where Value == EntityID<Target>? {
        let column = Target.columns[keyPath: keyPath]
        return RelatedColumn(path + column.path, column.coding, of: row)
    }

    /// The rows that refer to the row that a reference leads to.
    public subscript<Target: Entity, Element: Entity>(
        dynamicMember keyPath: KeyPath<Target.Columns, Relation<Target, Element>>
    ) -> Relation<Root, Element> where Value == EntityID<Target> {
        Target.columns[keyPath: keyPath].following(path, of: row)
    }

    /// The rows that refer to the row that a reference may lead to.
    public subscript<Target: Entity, Element: Entity>(
        dynamicMember keyPath: KeyPath<Target.Columns, Relation<Target, Element>>
    ) -> Relation<Root, Element> where Value == EntityID<Target>? {
        Target.columns[keyPath: keyPath].following(path, of: row)
    }

    /// The reference leads to a row that meets a condition.
    ///
    /// ```swift
    /// try User.all(where: { $0.company.matches { $0.city == "Athens" && $0.size > 10 } }, in: context)
    /// // … WHERE ("company" IN (SELECT … FROM "company" AS "skiathos_1_company" WHERE …))
    /// try Employee.all(where: { e in e.manager.matches { m in m.salary < e.salary } }, in: context)
    /// // … WHERE (EXISTS (SELECT 1 FROM … WHERE "skiathos_1_employee"."id" = "employee"."manager" AND …))
    /// ```
    ///
    /// Columns of a row of another entity around are marked with ``OuterMark``.
    public func matches<Target: Entity>(
        @ConditionBuilder<Target> _ condition: (Target.Columns) -> Condition<Target>
    ) -> Condition<Root> where Value == EntityID<Target> {
        following(RowClosure.runInside(Target.self, condition))
    }

    /// The reference leads to a row, which meets a condition.
    public func matches<Target: Entity>(
        @ConditionBuilder<Target> _ condition: (Target.Columns) -> Condition<Target>
    ) -> Condition<Root> where Value == EntityID<Target>? {
        following(RowClosure.runInside(Target.self, condition))
    }

    private func following<Target: Entity>(_ condition: Condition<Target>) -> Condition<Root> {
        Condition(condition.predicate.map { row.of(Root.self, $0.following(path)) })
    }
}

extension StorePredicate {
    /// The same condition on the row that references lead to.
    func following(_ path: [Int]) -> StorePredicate {
        path.reversed().reduce(self) { .through($1, $0) }
    }
}
