public import SkiathosStore

/// An entity that a table of key paths describes.
///
/// ```swift
/// struct Book {
///     var id: EntityID<Book> = .unassigned
///     var title = ""
///     var pages = 0
///     var author: Author.ID?
/// }
///
/// extension Book: TableEntity {
///     init(id: Book.ID) { self.id = id }
///
///     static let table = EntityTable("book", id: \Book.id) {
///         EntityColumn("title", \.title, .unique)
///         EntityColumn("pages", \.pages, .indexed)
///         EntityColumn("author", \.author, .references(onDelete: .cascade))
///     }
/// }
///
/// try Book.all(where: { $0.pages > 300 }, in: context)
/// // SELECT … FROM "book" WHERE ("pages" > 300)
/// ```
///
/// Properties that the table does not list are not stored: a fetched value has their defaults. A
/// `typealias RawID = UUID`, or `String`, in the extension chooses other keys than numbers.
///
/// Each property is read and set through its key path, which takes longer than the code that
/// `@Entity` writes. Opening a store throws `StoreError` with code `invalidSchema` if the table
/// contradicts itself.
public nonisolated protocol TableEntity: Entity where Columns == TableColumns<Self> {
    /// The table, its columns and their properties: a constant, since it is asked for with each
    /// row.
    static var table: EntityTable<Self> { get }
}

extension TableEntity {
    /// The columns.
    @inlinable public static var columns: TableColumns<Self> { TableColumns(of: .outermost) }
    /// The columns of a row of their own.
    public static func makeColumns() -> TableColumns<Self> {
        TableColumns(of: RowClosure.rowOfNewColumns(Self.self))
    }
    /// The schema that the table describes.
    public static var schema: EntitySchema { table.schema }
    /// The position of the column that has the property as its own.
    public static func column(at keyPath: PartialKeyPath<Self>) -> Int? {
        table.position(of: keyPath)
    }

    /// Decodes a row into a new value.
    @inlinable
    public init(row: RowReader) throws {
        self.init(id: try row.value(Coding.of(EntityID<Self>.self), at: 0))
        var position = 1
        for property in Self.table.accesses {
            try property.read(row, position, &self)
            position += 1
        }
    }

    /// Binds the property of the column at a position.
    @inlinable
    public func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
        if column == 0 {
            try parameters.bind(id, Coding.of(EntityID<Self>.self), at: position)
        } else {
            try Self.table.accesses[column - 1].bind(self, parameters, position)
        }
    }

    /// The columns, without the ID, that are stored differently for this value and the other.
    @inlinable
    public func changedColumns(from other: Self) -> ColumnSet {
        var changed = ColumnSet()
        var position = 1
        for property in Self.table.accesses {
            changed.insert(position, if: !property.areIdentical(self, other))
            position += 1
        }
        return changed
    }
}
