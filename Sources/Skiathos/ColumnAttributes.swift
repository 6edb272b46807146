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

/// The column has an index, so that conditions on it and sorting by it do not scan the table.
///
/// References and what is marked ``Unique(with:)`` have one anyway.
@attached(peer)
public macro Indexed() = #externalMacro(module: "SkiathosMacros", type: "IndexedMacro")

/// The column has a full-text index.
///
/// ```swift
/// @Searchable var title = ""
/// // CREATE VIRTUAL TABLE "skiathos_search_note" USING fts5("title", content="note", …)
/// ```
///
/// Only for properties of type `String` or `String?`. Upper and lower case, and accents of
/// Latin letters, make no difference. Each new word costs a write; for IDs that are not integers, each row also
/// gets a number in the index.
@attached(peer)
public macro Searchable() = #externalMacro(module: "SkiathosMacros", type: "SearchableMacro")

/// The column had other names before; opening a store that has one of them renames the column.
///
/// ```swift
/// @Renamed(from: "surname") var lastname = ""
/// // ALTER TABLE "user" RENAME COLUMN "surname" TO "lastname"
/// ```
///
/// All renames of an opening are planned as one, so the order of the properties has no effect. A former
/// name counts if the table lacks the current one, or if another property takes that one over:
///
/// ```swift
/// var name = ""                               // a new column
/// @Renamed(from: "name") var title = ""       // has the values of "name"
/// @Renamed(from: "title") var heading = ""    // has the values of "title"
/// ```
///
/// The attribute may stay for ever: it has no effect once the column has its current name. Names that
/// only differ by upper and lower case count as renamed, too. Two properties that exchange their names
/// are refused with the code `invalidSchema` and the `Migration` that exchanges their values, since an
/// exchange cannot be told from one that was made already.
///
/// - Parameter names: The former names.
@attached(peer)
public macro Renamed(from names: String...) =
    #externalMacro(module: "SkiathosMacros", type: "RenamedMacro")

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
