public import SkiathosPlatformFoundation
import SkiathosStore

/// The rows that refer to a row, in conditions and results about the row they refer to.
///
/// `@Entity` creates one for each computed property of type ``ToMany``.
///
/// ```swift
/// try Company.all(where: { $0.employees.isEmpty }, in: context)
/// // … WHERE ((EXISTS (SELECT 1 FROM "user" AS "skiathos_1_user" WHERE …)) IS NOT TRUE)
/// try Company.all(where: { $0.employees.exists { $0.age > 60 } }, in: context)
/// try Company.order { $0.employees.count.descending }.all(in: context)
/// ```
public struct Relation<Owner: Entity, Element: Entity>: Sendable {
    /// The positions of the references that lead to the row that is referred to.
    let path: [Int]
    /// The row that the path begins at.
    let row: QueryRow
    /// Reads the property again each time: while the columns of one entity are initialised,
    /// those of another one, which its relations may need, cannot be.
    private let definition: @Sendable () -> Definition

    private struct Definition {
        let rows: StoreRelation
        let condition: BuiltCondition?

        /// The condition on each of the rows; `nil` if there is none.
        var predicate: Result<StorePredicate?, any Error> {
            condition.map { $0.predicate.map { $0 } } ?? .success(nil)
        }

        func restricted(by other: Condition<Element>) -> Definition {
            if case .success(.constant(true)) = other.predicate { return self }
            let both = condition.map { .joining($0, other.built, isAll: true) } ?? other.built
            return Definition(rows: rows, condition: both)
        }
    }

    /// Creates the relation of a computed property of the entity.
    ///
    /// Made in ``Entity/makeColumns()``, it belongs to the row of the closure that the columns are for.
    public init(_ property: any KeyPath<Owner, ToMany<Element>> & Sendable) {
        self.init(property, of: RowClosure.rowOfNewColumns(Owner.self))
    }

    init(_ property: any KeyPath<Owner, ToMany<Element>> & Sendable, of row: QueryRow) {
        // The property describes its rows in the same way for every row that they refer to.
        self.init(of: row) { Owner(id: .unassigned)[keyPath: property] }
    }

    /// Creates the relation that a closure describes.
    init(of row: QueryRow, _ property: @escaping @Sendable () -> ToMany<Element>) {
        self.init(path: [], of: row) {
            // Closures of the property are about its own rows, wherever it is read.
            let related = RowClosure.apart(property)
            return Definition(rows: related.relation, condition: related.filter)
        }
    }

    private init(
        path: [Int], of row: QueryRow, definition: @escaping @Sendable () -> Definition
    ) {
        self.path = path
        self.row = row
        self.definition = definition
    }

    /// The same rows, related to a row that references lead to.
    func following<Root: Entity>(_ path: [Int], of row: QueryRow) -> Relation<Root, Element> {
        let definition = definition
        return Relation<Root, Element>(path: path + self.path, of: row) {
            let own = definition()
            return .init(rows: own.rows, condition: own.condition)
        }
    }

    /// No row refers to it.
    public var isEmpty: Condition<Owner> { !exists() }

    /// At least one row refers to it.
    public func exists() -> Condition<Owner> { exists(.always) }

    /// At least one row that meets a condition refers to it.
    ///
    /// ```swift
    /// Employee.where { e in e.reports.exists { r in r.salary > e.salary } }
    /// // … WHERE (EXISTS (SELECT 1 FROM "employee" AS "skiathos_1_employee" WHERE
    /// // "skiathos_1_employee"."manager" = "employee"."id"
    /// // AND ("skiathos_1_employee"."salary" > "employee"."salary")))
    /// ```
    ///
    /// Columns of a row of another entity around are marked with ``OuterMark``.
    public func exists(
        @ConditionBuilder<Element> where condition: (Element.Columns) -> Condition<Element>
    ) -> Condition<Owner> {
        exists(RowClosure.runInside(Element.self, condition))
    }

    /// At least one row that meets a condition refers to it.
    func exists(_ condition: Condition<Element>) -> Condition<Owner> {
        let own = definition().restricted(by: condition)
        return Condition(
            own.predicate.map {
                row.of(Owner.self, StorePredicate.related(own.rows, $0).following(path))
            })
    }

    /// Every row that refers to it meets a condition; also true if there is none.
    public func allSatisfy(
        @ConditionBuilder<Element> _ condition: (Element.Columns) -> Condition<Element>
    ) -> Condition<Owner> {
        !exists(!RowClosure.runInside(Element.self, condition))
    }

    /// Only the rows that meet a condition.
    public func filter(
        @ConditionBuilder<Element> _ condition: (Element.Columns) -> Condition<Element>
    ) -> Relation {
        let definition = definition
        let condition = RowClosure.runInside(Element.self, condition)
        return Relation(path: path, of: row) { definition().restricted(by: condition) }
    }

    /// The number of the rows.
    public var count: ColumnExpression<Owner, Int> {
        let number = aggregate(
            Result<StoreExpression?, any Error>.success(nil), .count, .integer,
            ValueCoding(Coding.of(Int?.self)))
        return orZero(number, ValueCoding(Coding.of(Int.self)))
    }

    /// The sum of the values over the related rows that are not `nil`; zero if there are none.
    public func sum<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Owner, Operand.Value.Sum>
    where Operand.Root == Element, Operand.Value: SummedColumnValue {
        sum(Operand.Value._summed(expression(operand)))
    }

    /// The minimum over the related rows; `nil` if there are none.
    public func min<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Owner, Operand.Value?>
    where Operand.Root == Element, Operand.Value: Comparable {
        aggregate(expression(operand), .minimum) { $0.optional }
    }

    /// The maximum over the related rows; `nil` if there are none.
    public func max<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Owner, Operand.Value?>
    where Operand.Root == Element, Operand.Value: Comparable {
        aggregate(expression(operand), .maximum) { $0.optional }
    }

    /// The minimum of the values that are not `nil`; `nil` if there are none.
    public func min<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Owner, Operand.Value>
    where
        Operand.Root == Element, Operand.Value: OptionalColumnValue,
        Operand.Value.Wrapped: Comparable
    { aggregate(expression(operand), .minimum) { $0 } }

    /// The maximum of the values that are not `nil`; `nil` if there are none.
    public func max<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Owner, Operand.Value>
    where
        Operand.Root == Element, Operand.Value: OptionalColumnValue,
        Operand.Value.Wrapped: Comparable
    { aggregate(expression(operand), .maximum) { $0 } }

    /// The mean over the related rows; `nil` if there are none.
    public func average<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Owner, Double?>
    where Operand.Root == Element, Operand.Value: AveragedColumnValue {
        aggregate(expression(operand), .average) { _ in ValueCoding(Coding.of(Double?.self)) }
    }

    /// The mean over the related rows; `nil` if there are none.
    public func average<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Owner, Decimal?>
    where Operand.Root == Element, Operand.Value == Decimal {
        aggregate(expression(operand), .average) { $0.optional }
    }

    /// The mean of the values that are not `nil`; `nil` if there are none.
    public func average<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Owner, Decimal?>
    where Operand.Root == Element, Operand.Value == Decimal? {
        aggregate(expression(operand), .average) { $0 }
    }

    /// What a closure computes of each row.
    private func expression<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Element, Operand.Value> where Operand.Root == Element {
        RowClosure.runInside(Element.self) { operand($0).expression }
    }

    /// The sum of an expression over the related rows.
    func sum<Value>(
        _ operand: ColumnExpression<Element, Value>
    ) -> ColumnExpression<Owner, Value> where Value: Numeric {
        let sum: ColumnExpression<Owner, Value?> = aggregate(operand, .sum) { $0.optional }
        return orZero(sum, operand.coding)
    }

    /// A count or a sum, which has no value only where references lead to no row.
    private func orZero<Value: Numeric>(
        _ total: ColumnExpression<Owner, Value?>, _ coding: ValueCoding<Value>
    ) -> ColumnExpression<Owner, Value> {
        path.isEmpty ? ColumnExpression(total.source, coding, total.extent) : total ?? .zero
    }

    private func aggregate<Operand: QueryOperand, Value>(
        _ operand: Operand, _ function: StoreAggregate.Function,
        _ coding: (ValueCoding<Operand.Value>) -> ValueCoding<Value>
    ) -> ColumnExpression<Owner, Value> {
        let isOfOrder = function == .minimum || function == .maximum
        let expression = isOfOrder ? operand.expression.ordered : operand.expression
        return aggregate(
            expression.source.map { Optional($0) }, function, expression.coding.storage,
            coding(expression.coding))
    }

    private func aggregate<Value>(
        _ argument: Result<StoreExpression?, any Error>, _ function: StoreAggregate.Function,
        _ storage: StorageClass, _ coding: ValueCoding<Value>
    ) -> ColumnExpression<Owner, Value> {
        let own = definition()
        let source = argument.flatMap { argument in
            own.predicate.map { condition -> StoreExpression in
                let inner = StoreExpression.related(
                    own.rows, StoreAggregate(function, argument, storage), condition)
                return row.of(Owner.self, path.reversed().reduce(inner) { .through($1, $0) })
            }
        }
        return ColumnExpression(source, coding)
    }
}
