/// One entity as a backend sees it: a table, its columns and its keys.
public struct EntitySchema: Sendable, Hashable {
    /// The Swift type, by which references find their target.
    public var type: ObjectIdentifier
    /// The name of the Swift type, for messages.
    public var typeName: String
    /// The name of the table.
    public var table: String
    /// The names that the table had before.
    ///
    /// If a store has a table with one of them, and none with the current name or one that another entity
    /// takes over, the table is renamed.
    public var formerTables: [String]
    /// The columns in the order of their positions.
    ///
    /// Column 0 is the ID.
    public var columns: [ColumnSchema]
    /// Sets of columns whose values together must be unique, by position, beside the ID.
    public var uniqueKeys: [[Int]]
    /// Columns that have an index of their own, by position.
    ///
    /// References always have one.
    public var indexedColumns: [Int]
    /// Columns whose texts can be searched for words, by position.
    ///
    /// Only for columns of text.
    public var searchable: [Int]

    /// Describes an entity.
    ///
    /// ```swift
    /// EntitySchema(User.self, table: "user", id: Coding.of(User.ID.self),
    ///     columns: [ColumnSchema("email", Coding.of(String?.self)), ColumnSchema("age", Coding.of(Int.self))],
    ///     unique: [["email"]], indexed: ["age"])
    /// ```
    ///
    /// - Parameters:
    ///   - type: The Swift type.
    ///   - table: The name of the table; any text that is not empty and does not begin with
    ///     `sqlite_` or `skiathos_`.
    ///   - id: How the ID is stored.
    ///   - columns: The columns beside the ID, at most ``ColumnSet/capacity`` − 1.
    ///   - unique: Names of columns that together are unique. A name that is not a column traps.
    ///   - indexed: Names of columns with an index. A name that is not a column traps.
    ///   - searchable: Names of columns of text that can be searched for words. A name that is not a
    ///     column traps.
    ///   - renamedFrom: Names that the table had before.
    public init<C: ColumnCoding>(
        _ type: Any.Type, table: String, id: C.Type, columns: [ColumnSchema],
        unique: [[String]] = [], indexed: [String] = [],
        searchable: [String] = [], renamedFrom: [String] = []
    ) {
        precondition(
            columns.count < ColumnSet.capacity,
            """
            \(type) has \(columns.count) columns beside its ID; at most \(ColumnSet.capacity - 1) \
            are supported. Group some in a Codable value.
            """)
        var idColumn = ColumnSchema("id", id)
        idColumn.reference = nil
        let all = [idColumn] + columns
        func position(_ name: String) -> Int {
            guard let position = all.firstIndex(where: { $0.name == name }) else {
                preconditionFailure(
                    "\(type) has no column named \(name) for a unique key, an index or a search.")
            }
            return position
        }
        self.type = ObjectIdentifier(type)
        self.typeName = String(describing: type)
        self.table = table
        self.formerTables = renamedFrom
        self.columns = all
        self.uniqueKeys = unique.map { $0.map(position) }
        self.indexedColumns = indexed.map(position)
        self.searchable = searchable.map(position)
    }

    /// Whether IDs are 64-bit integers, which are allocated in ascending order.
    public var hasIntegerID: Bool { columns[0].storage == .integer }

    /// The positions of the columns that refer to another entity.
    public var referenceColumns: [Int] { columns.indices.filter { columns[$0].reference != nil } }
}
