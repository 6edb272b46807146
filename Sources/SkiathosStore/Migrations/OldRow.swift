/// A row as a step of a migration finds it, by the names of its columns.
///
/// ```swift
/// let age = try old["age", as: Int.self]          // throws if there is no such column
/// let nick = try old["nick", as: String?.self]    // nil if the column is empty
/// ```
public struct OldRow: Sendable {
    /// The names of the columns, in the order of the values.
    public let columns: [String]
    /// The values, as they are stored.
    public let values: [StoreValue]

    /// Makes a row.
    ///
    /// - Parameters:
    ///   - columns: The names of the columns.
    ///   - values: As many values.
    public init(columns: [String], values: [StoreValue]) {
        self.columns = columns
        self.values = values
    }

    /// The value of a column as it is stored, or `nil` if there is no such column.
    ///
    /// Upper and lower case make no difference, as in SQL.
    public func storedValue(of column: String) -> StoreValue? {
        if let position = columns.firstIndex(of: column) { return values[position] }
        let lowered = column.lowercased()
        return columns.firstIndex { $0.lowercased() == lowered }.map { values[$0] }
    }

    /// The value of a column.
    ///
    /// - Throws: ``StoreError`` with code `migrationFailed` if there is no such column, and
    ///   `undecodableValue` if what is stored is of another type, or missing and not optional.
    public subscript<V: ColumnValue>(column: String, as type: V.Type) -> V {
        get throws { try value(column, Coding.of(type)) }
    }

    /// The value of a column that is stored by its raw value or as JSON.
    ///
    /// ```swift
    /// let status = try old.value("status", Coding.of(Status.self))
    /// ```
    ///
    /// - Throws: The same as the subscript.
    public func value<C: ColumnCoding>(_ column: String, _ coding: C.Type) throws -> C.Value {
        guard let stored = storedValue(of: column) else {
            throw StoreError(
                .migrationFailed,
                "A step asked for the column \"\(column)\", which its rows do not have. They have \(columns.map { "\"\($0)\"" }.joined(separator: ", "))."
            )
        }
        guard stored.fits(C.storage, isOptional: C.isOptional) else {
            throw StoreError(
                .undecodableValue,
                "A step asked for the column \"\(column)\" as \(C.Value.self), but what is stored is of another type.",
                columns: [column])
        }
        do {
            return try ValueRow([stored]).read { try C.read($0, 0) }
        } catch var error as StoreError {
            error.columns = [column]
            throw error
        }
    }
}

extension StoreValue {
    /// Whether a column of a kind can hold this value.
    package func fits(_ storage: StorageClass, isOptional: Bool) -> Bool {
        switch (self, storage) {
        case (.null, _): isOptional
        case (.integer, .integer), (.real, .real), (.text, .text), (.text, .decimal),
            (.blob, .blob):
            true
        default: false
        }
    }
}
