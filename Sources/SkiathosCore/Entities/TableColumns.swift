/// The columns of a ``TableEntity`` by the names of their properties.
///
/// ```swift
/// try Book.all(where: { $0.title.hasPrefix("E") && $0.author.name == "Austen" }, in: context)
/// ```
///
/// Its members are the properties of the entity that can be set where the query stands, each as its
/// column, and the computed ones of type ``ToMany`` and ``ManyToMany``, each as its relation. Asking for
/// a property that the table does not list is a programming mistake and traps.
@dynamicMemberLookup
public struct TableColumns<E: TableEntity>: Sendable {
    /// The row that the columns belong to.
    @usableFromInline let row: QueryRow

    @inlinable
    init(of row: QueryRow) { self.row = row }

    /// The column of a property.
    public subscript<V: Sendable>(dynamicMember property: WritableKeyPath<E, V>) -> Column<E, V> {
        E.table.column(property, of: row)
    }

    /// The rows that refer to a row.
    public subscript<Element: Entity>(
        dynamicMember property: any KeyPath<E, ToMany<Element>> & Sendable
    ) -> Relation<E, Element> {
        Relation(property, of: row)
    }

    /// The rows that links connect with a row.
    public subscript<Element: Entity, Link: Entity>(
        dynamicMember property: any KeyPath<E, ManyToMany<Element, Link>> & Sendable
    ) -> LinkedRelation<E, Element, Link> {
        LinkedRelation(property, of: row)
    }
}

// Predicates and sort descriptors of Foundation look for the coding of a column among the children
// of the columns.
extension TableColumns: CustomReflectable {
    /// The columns, in the order of their positions.
    public var customMirror: Mirror { Mirror(self, unlabeledChildren: E.table.operands) }
}
