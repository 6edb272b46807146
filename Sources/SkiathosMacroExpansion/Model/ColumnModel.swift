#if Macros
import SwiftSyntax

/// One stored property of an entity.
struct ColumnModel {
    /// The name as it is written, with backticks where it has them.
    var property: String
    /// The name of the column: that of the property without backticks.
    var name: String
    /// The type of the property.
    var type: TypeSyntax
    /// How far the column can be seen: `.private` if its type is a private one of the struct's own.
    var access: AccessLevel
    /// The value that it begins with, if that can stand as the default of a public parameter, which may use
    /// nothing that others do not see.
    var publicDefault: String?
    /// The attributes that deprecate the property, each with a space after it.
    var deprecations: String
    /// Whether it has an index of its own.
    var isIndexed: Bool
    /// Whether its words are kept for searching.
    var isSearchable: Bool
    /// The names that it had before.
    var formerNames: [String]
    /// The delete rule of a reference, as it is written.
    var deleteRule: String?
    /// The unique keys that begin with this column.
    var uniqueKeys: [UniqueKeyModel]
    /// Where problems of the column are reported.
    var nameToken: TokenSyntax
    /// Whether the type is known, so that the column can be generated.
    var isUnderstood: Bool
}

/// One `@Unique`, before the other columns that it names are known to exist.
struct UniqueKeyModel {
    /// Where problems of the key are reported.
    var attribute: AttributeSyntax
    /// The other columns, and where each is named.
    var others: [(name: String, node: ExprSyntax)]
}
#endif
