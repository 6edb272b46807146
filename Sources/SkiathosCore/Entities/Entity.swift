public import SkiathosStore

/// A value that is stored as a row: a `Sendable` struct with an ID and columns.
///
/// `@Entity` writes the conformance. Without the macro, a table of key paths describes the entity:
///
/// ```swift
/// struct Book {
///     var id: EntityID<Book> = .unassigned
///     var title = ""
///     var pages = 0
/// }
///
/// extension Book: TableEntity {
///     init(id: Book.ID) { self.id = id }
///
///     static let table = EntityTable("book", id: \Book.id) {
///         EntityColumn("title", \.title, .unique)
///         EntityColumn("pages", \.pages)
///     }
/// }
/// ```
///
/// ``TableEntity`` has defaults of the other members. A type that declares them itself, as the macro
/// does, is read and written without key paths, and may be generic.
public nonisolated protocol Entity: _EntityRows, Identifiable
where ID == EntityID<Self>, _Value == Self {
    /// The type of the keys: `Int64` unless chosen otherwise, `UUID` or `String`.
    associatedtype RawID: EntityKey = Int64
    /// The columns by the names of their properties, for conditions and sort keys: a struct with
    /// a ``Column`` for each of them.
    associatedtype Columns: Sendable

    /// The columns.
    static var columns: Columns { get }
    /// New columns, for the closure of a query inside of another closure: they belong to a row of their
    /// own.
    ///
    /// ```swift
    /// static let columns = Columns()
    /// static func makeColumns() -> Columns { Columns() }
    /// ```
    ///
    /// Returning ``columns`` is a programming mistake and traps when such a query is made.
    static func makeColumns() -> Columns
    /// The table, its columns in order, and its keys.
    static var schema: EntitySchema { get }
    /// The position of the column that a key path leads to, or `nil` if it leads to none.
    static func column(at keyPath: PartialKeyPath<Self>) -> Int?

    /// The ID. It never changes once the value is stored.
    var id: EntityID<Self> { get set }
    /// A new value in which every other property has its default.
    init(id: EntityID<Self>)
    /// Decodes a row, whose columns come in the order of the schema.
    ///
    /// ```swift
    /// title = try row.value(Coding.of(String.self), at: 1)
    /// ```
    init(row: RowReader) throws
    /// Binds the value of the column at a position of the schema to a parameter.
    ///
    /// ```swift
    /// if column == 1 { try parameters.bind(title, Coding.of(String.self), at: position) }
    /// ```
    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws
    /// The columns, without the ID, that are stored differently for this value and the other.
    ///
    /// ```swift
    /// changed.insert(1, if: !Coding.of(String.self).areIdentical(title, other.title))
    /// ```
    func changedColumns(from other: Self) -> ColumnSet

    /// Checks the requirements of a value.
    ///
    /// The default requires nothing.
    ///
    /// Called after the hooks, and before anything is applied, for every value that is about
    /// to be inserted or updated. Also called for all rows that `update(where:set:)` has
    /// changed, and once for a value with its defaults when a store is opened. All failures of
    /// a write are thrown in one error.
    ///
    /// ```swift
    /// func validate(_ validation: inout Validation<User>) {
    ///     validation.require(\.age, (0...150).contains(age), "must lie between 0 and 150")
    /// }
    /// ```
    func validate(_ validation: inout Validation<Self>)
}

extension Entity {
    /// Requires nothing.
    public func validate(_ validation: inout Validation<Self>) { validation.beDefault() }
}
