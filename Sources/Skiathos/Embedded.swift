#if Macros
import SkiathosStore

/// Makes the fields of a `Codable` struct, stored as JSON, available to queries.
///
/// ```swift
/// @Embedded struct Address: Codable {
///     var city = ""
///     var zip: String?
/// }
/// @Entity struct User { var address = Address() }
///
/// try User.all(where: { $0.address[\.city] == "Athens" }, in: context)
/// // … WHERE (json_extract("address", '$."city"') = 'Athens')
/// ```
///
/// The stored properties are the fields, under the names that the struct's `CodingKeys` give them;
/// properties without a key are left out. The struct gains the list that `Embedded` shows how to write by
/// hand. Its encoding is the compiler's own, or encodes each property as itself under its key: other
/// values are refused when they are stored.
@attached(extension, conformances: Embedded, names: named(fields))
public macro Embedded() = #externalMacro(module: "SkiathosMacros", type: "EmbeddedMacro")
#endif
