#if Macros
public import SkiathosCore

/// Makes a struct an `Entity`: each stored `var` becomes a column.
///
/// ```swift
/// @Entity struct User {
///     @Unique var email: String?
///     @Indexed var age = 0
///     var company: Company.ID?
///     var greeting: String { "Hello \(email ?? "you")" }      // computed: no column
/// }
/// // CREATE TABLE "user" ("id" INTEGER PRIMARY KEY NOT NULL, "email" TEXT, "age" INTEGER NOT NULL,
/// //     "company" INTEGER REFERENCES "company"("id") ON DELETE SET NULL …)
/// // CREATE UNIQUE INDEX "user_unique_email" ON "user" ("email"), and indexes on the other two
/// ```
///
/// Every property needs a default, so that `create(in:)` can make a new value, and a type that
/// `Coding` can store. The type is that of the annotation, or of a default that shows it:
/// a literal, `Date()`, `[String]()`.
///
/// The struct gains `id`, unless it declares `var id: User.ID = .unassigned` itself, and the
/// conformance that `Entity` shows how to write by hand. If it declares initialisers and none
/// without arguments, it gains `init()` too. In a struct that stands inside another type it also
/// gains `ColumnTypes`, names for the types of its columns.
///
/// - Parameters:
///   - table: The name of the table; without one, that of the type with its leading capitals in
///     lower case. It must not begin with `sqlite_` or `skiathos_`.
///   - id: What IDs are made of: `Int64`, `UUID` or `String`.
///   - renamedFrom: The names that the table had before. Opening a store that has one of them
///     renames the table.
@attached(member, names: named(id), named(init), named(ColumnTypes))
@attached(
    extension, conformances: Entity,
    names: named(RawID), named(ID), named(Columns), named(columns), named(makeColumns),
    named(schema),
    named(column(at:)), named(init(id:)), named(init(row:)), named(bind(_:to:at:)),
    named(changedColumns(from:)))
public macro Entity(
    table: String? = nil, id: any EntityKey.Type = Int64.self, renamedFrom: String...
) =
    #externalMacro(module: "SkiathosMacros", type: "EntityMacro")
#endif
