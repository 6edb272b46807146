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
public nonisolated protocol Entity: Sendable, Identifiable where ID == EntityID<Self> {
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

    // The loops over rows are requirements so that each entity gets its own, specialised copy
    // of the default ones: called across modules as plain generics they cost about twice as
    // much.

    /// Decodes the rows of a cursor, until there are as many values as wanted.
    ///
    /// Has a default that need not be replaced.
    static func decodeRows(
        _ cursor: inout RowCursor, upTo count: Int, into values: inout [Self]
    ) throws
    /// Decodes all rows of a cursor into tracked objects, one for each ID. Has a default that
    /// need not be replaced.
    static func decodeRows(
        _ cursor: inout RowCursor, into objects: inout [Managed<Self>], of unit: UnitOfWork<Self>
    ) throws
    /// Sorts the pending objects of a write by the step that they need.
    ///
    /// Has a default that need not be replaced.
    static func pendingChanges(of unit: UnitOfWork<Self>) throws -> PendingChanges
    /// Records that all pending changes lie in the open transaction.
    ///
    /// Has a default that need not be replaced.
    static func didFlush(_ unit: UnitOfWork<Self>)
    /// Releases all objects of a write.
    ///
    /// Has a default that need not be replaced.
    static func end(_ unit: UnitOfWork<Self>)
    /// Binds and sends some columns of objects, then their ID if asked for. Has a default that
    /// need not be replaced.
    static func sendRows(
        _ objects: [Managed<Self>], columns: ColumnSet, followedByID: Bool,
        to sink: inout RowSink
    ) throws
    /// Lends some columns of objects, then their ID if asked for. Has a default that need not be
    /// replaced.
    static func lendRows(
        _ objects: [Managed<Self>], columns: ColumnSet, followedByID: Bool,
        to body: (LentRows) throws -> Void
    ) throws
}

extension Entity {
    /// Requires nothing.
    public func validate(_ validation: inout Validation<Self>) { validation.beDefault() }

    /// Decodes the rows of a cursor, until there are as many values as wanted.
    @inlinable
    public static func decodeRows(
        _ cursor: inout RowCursor, upTo count: Int, into values: inout [Self]
    ) throws {
        while values.count < count, cursor.next() { values.append(try Self(row: cursor.row)) }
    }

    /// Decodes all rows of a cursor.
    @inlinable
    static func decodeRows(_ cursor: inout RowCursor, into values: inout [Self]) throws {
        try decodeRows(&cursor, upTo: .max, into: &values)
    }

    /// Decodes all rows of a cursor into tracked objects.
    ///
    /// An object that the write tracks already is used as it is; its row is not decoded again.
    @inlinable
    public static func decodeRows(
        _ cursor: inout RowCursor, into objects: inout [Managed<Self>], of unit: UnitOfWork<Self>
    ) throws {
        try unit.withMap { map in
            while cursor.next() {
                let id = try RawID(row: cursor.row, column: 0)
                let held = map[id]
                if let held, held.isDue {
                    // A hook may find rows whose deletion is not in the store yet.
                    if !held.state.contains(.deleted) { objects.append(held) }
                } else {
                    let object = Managed(try Self(row: cursor.row), of: unit)
                    map.register(object, under: id)
                    if held != nil { unit.tookPlace(object) }
                    objects.append(object)
                }
            }
        }
    }

    /// Binds and sends some columns of objects.
    @inlinable
    public static func sendRows(
        _ objects: [Managed<Self>], columns: ColumnSet, followedByID: Bool,
        to sink: inout RowSink
    ) throws {
        for object in objects {
            var position = 0
            for column in columns {
                do {
                    try object.current.bind(column, to: sink.parameters, at: position)
                } catch let error as StoreError {
                    throw error.locating(
                        entity: schema.table, columns: [schema.columns[column].name])
                }
                position += 1
            }
            if followedByID { try object.current.bind(0, to: sink.parameters, at: position) }
            try sink.send()
        }
    }

    /// Lends some columns of objects.
    ///
    /// The current value is copied to separate memory: reading a property of an object checks
    /// exclusive access at run time each time, which measured 100 instructions for each
    /// column.
    @inlinable
    public static func lendRows(
        _ objects: [Managed<Self>], columns: ColumnSet, followedByID: Bool,
        to body: (LentRows) throws -> Void
    ) throws {
        guard let first = objects.first else { return }
        let positions = Array(columns) + (followedByID ? [0] : [])
        try withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { memory in
            guard let current = memory.baseAddress else { return }
            current.initialize(to: first.current)
            defer { current.deinitialize(count: 1) }
            let rows = LentRows(
                count: objects.count, move: { current.pointee = objects[$0].current },
                bind: { position, parameters in
                    let column = positions[position]
                    do {
                        try bind(column, of: &current.pointee, to: parameters)
                    } catch let error as StoreError {
                        throw error.locating(
                            entity: schema.table, columns: [schema.columns[column].name])
                    }
                })
            try body(rows)
        }
    }

    /// Binds a column of a value in place.
    ///
    /// As an `inout` argument of a separate function the value need not be copied by the
    /// compiler, which for nine columns measured 1,800 instructions for each row.
    @inlinable @inline(never)
    static func bind(
        _ column: Int, of value: inout Self, to parameters: ParameterWriter
    ) throws {
        try value.bind(column, to: parameters, at: 0)
    }
}
