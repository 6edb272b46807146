import SkiathosStore

/// The rows that links connect with a row, in conditions and results about that row.
///
/// `@Entity` creates one for each computed property of type ``ManyToMany``.
///
/// ```swift
/// try Playlist.all(where: { $0.tracks.exists { $0.composer == "Bach" } }, in: context)
/// try Playlist.order { $0.tracks.count.descending }.all(in: context)
/// ```
public struct LinkedRelation<Owner: Entity, Element: Entity, Link: Entity>: Sendable {
    /// The links, for conditions on their attributes.
    public let links: Relation<Owner, Link>

    private let elementReference: @Sendable () -> Int

    /// Creates the relation of a computed property of the entity.
    ///
    /// Made in ``Entity/makeColumns()``, it belongs to the row of the closure that the columns are for.
    public init(_ property: any KeyPath<Owner, ManyToMany<Element, Link>> & Sendable) {
        self.init(property, of: RowClosure.rowOfNewColumns(Owner.self))
    }

    init(_ property: any KeyPath<Owner, ManyToMany<Element, Link>> & Sendable, of row: QueryRow) {
        links = Relation(of: row) { Owner(id: .unassigned)[keyPath: property].links }
        elementReference = { Owner(id: .unassigned)[keyPath: property].elementReference }
    }

    /// No row is connected.
    public var isEmpty: Condition<Owner> { links.isEmpty }

    /// At least one row is connected.
    public func exists() -> Condition<Owner> { links.exists() }

    /// At least one row that meets a condition is connected.
    public func exists(
        @ConditionBuilder<Element> where condition: (Element.Columns) -> Condition<Element>
    ) -> Condition<Owner> {
        let condition = RowClosure.runInside(Element.self, condition)
        let reference = elementReference()
        return links.exists(Condition(condition.predicate.map { .through(reference, $0) }))
    }

    /// The number of the connections.
    public var count: ColumnExpression<Owner, Int> { links.count }

    /// The sum of the values over the connected rows that are not `nil`; zero if there are none.
    public func sum<Operand: QueryOperand>(
        _ operand: (Element.Columns) -> Operand
    ) -> ColumnExpression<Owner, Operand.Value.Sum>
    where Operand.Root == Element, Operand.Value: SummedColumnValue {
        let operand = Operand.Value._summed(
            RowClosure.runInside(Element.self) { operand($0).expression })
        let reference = elementReference()
        return links.sum(
            ColumnExpression<Link, Operand.Value.Sum>(
                operand.source.map { .through(reference, $0) }, operand.coding))
    }
}
