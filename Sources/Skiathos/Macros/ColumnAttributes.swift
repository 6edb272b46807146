#if Macros
public import SkiathosStore

/// No two rows may have the same value in this column, alone or together with other columns.
///
/// ```swift
/// @Unique var email: String?                       // UNIQUE ("email")
/// @Unique(with: "country", "region") var name = "" // UNIQUE ("name", "country", "region")
/// ```
///
/// Rows without a value do not count as the same. A write that would break the rule fails with
/// `StoreError` and code `uniqueViolation`.
///
/// - Parameter columns: The names of other stored properties of the same entity.
@attached(peer)
public macro Unique(with columns: String...) =
    #externalMacro(module: "SkiathosMacros", type: "UniqueMacro")

/// The column has an index, so that conditions on it and sorting by it do not walk the table.
///
/// References and what is marked ``Unique(with:)`` have one anyway.
@attached(peer)
public macro Indexed() = #externalMacro(module: "SkiathosMacros", type: "IndexedMacro")

/// The property is not stored: a fetched value has its default.
@attached(peer)
public macro Transient() = #externalMacro(module: "SkiathosMacros", type: "TransientMacro")

/// What happens to the row when the row that it refers to is deleted.
///
/// ```swift
/// @References(onDelete: .cascade) var company: Company.ID?
/// // "company" INTEGER REFERENCES "company"("id") ON DELETE CASCADE
/// ```
///
/// A property of type `EntityID` is a reference without the attribute too. Then deletion clears an
/// optional reference, and fails while another one exists.
///
/// - Parameter rule: `.nullify`, `.cascade` or `.deny`.
@attached(peer)
public macro References(onDelete rule: ColumnSchema.DeleteRule) =
    #externalMacro(module: "SkiathosMacros", type: "ReferencesMacro")
#endif
