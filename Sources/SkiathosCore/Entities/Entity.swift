public import SkiathosStore

/// A value that is stored as a row: a `Sendable` struct with an ID and columns.
///
/// `@Entity` writes the conformance. By hand it is the seven members below the ID:
///
/// ```swift
/// struct Book {
///     var id: EntityID<Book> = .unassigned
///     var title = ""
///     var pages = 0
/// }
///
/// extension Book: Entity {
///     struct Columns: Sendable {
///         let id = Column<Book, Book.ID>(0, Coding.of(Book.ID.self))
///         let title = Column<Book, String>(1, Coding.of(String.self))
///         let pages = Column<Book, Int>(2, Coding.of(Int.self))
///     }
///     static let columns = Columns()
///     static let schema = EntitySchema(
///         Book.self, table: "book", id: Coding.of(Book.ID.self),
///         columns: [
///             ColumnSchema("title", Coding.of(String.self)),
///             ColumnSchema("pages", Coding.of(Int.self)),
///         ], unique: [["title"]])
///     static func column(at keyPath: PartialKeyPath<Book>) -> Int? {
///         switch keyPath {
///         case \Book.id: 0
///         case \Book.title: 1
///         case \Book.pages: 2
///         default: nil
///         }
///     }
///     init(id: Book.ID) { self.id = id }
///     init(row: RowReader) throws {
///         id = try row.value(Coding.of(Book.ID.self), at: 0)
///         title = try row.value(Coding.of(String.self), at: 1)
///         pages = try row.value(Coding.of(Int.self), at: 2)
///     }
///     func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws {
///         switch column {
///         case 0: try parameters.bind(id, Coding.of(Book.ID.self), at: position)
///         case 1: try parameters.bind(title, Coding.of(String.self), at: position)
///         default: try parameters.bind(pages, Coding.of(Int.self), at: position)
///         }
///     }
///     func changedColumns(from other: Book) -> ColumnSet {
///         var changed = ColumnSet()
///         changed.insert(1, if: !Coding.of(String.self).areIdentical(title, other.title))
///         changed.insert(2, if: !Coding.of(Int.self).areIdentical(pages, other.pages))
///         return changed
///     }
/// }
/// ```
public nonisolated protocol Entity: _EntityRows, Identifiable
where ID == EntityID<Self>, _Value == Self {
    /// The type of the keys: `Int64` unless chosen otherwise, `UUID` or `String`.
    associatedtype RawID: EntityKey = Int64
    /// The columns by the names of their properties, for conditions and sort keys.
    associatedtype Columns: Sendable

    /// The columns.
    static var columns: Columns { get }
    /// The table, its columns in order, and its keys.
    static var schema: EntitySchema { get }
    /// The position of the column that a key path leads to, or `nil` if it leads to none.
    static func column(at keyPath: PartialKeyPath<Self>) -> Int?

    /// The ID. It never changes once the value is stored.
    var id: EntityID<Self> { get set }
    /// A new value in which every other property has its default.
    init(id: EntityID<Self>)
    /// Decodes a row, whose columns come in the order of the schema.
    init(row: RowReader) throws
    /// Binds the value of the column at a position of the schema to a parameter.
    func bind(_ column: Int, to parameters: ParameterWriter, at position: Int) throws
    /// The columns, without the ID, that are stored differently for this value and the other.
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
