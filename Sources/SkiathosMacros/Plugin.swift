#if Macros
import SkiathosMacroExpansion
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct SkiathosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        EntityMacro.self, UniqueMacro.self, IndexedMacro.self, TransientMacro.self,
        ReferencesMacro.self, SearchableMacro.self, RenamedMacro.self, EmbeddedMacro.self,
    ]
}

/// `@Entity`.
struct EntityMacro: EntityExpansion {}
/// `@Embedded`.
struct EmbeddedMacro: EmbeddedExpansion {}
/// `@Unique`.
struct UniqueMacro: ColumnAttributeExpansion {}
/// `@Indexed`.
struct IndexedMacro: ColumnAttributeExpansion {}
/// `@Searchable`.
struct SearchableMacro: ColumnAttributeExpansion {}
/// `@Renamed(from:)`.
struct RenamedMacro: ColumnAttributeExpansion {}
/// `@Transient`.
struct TransientMacro: ColumnAttributeExpansion {}
/// `@References(onDelete:)`.
struct ReferencesMacro: ColumnAttributeExpansion {}
#else
// A macro target has to link even where the trait leaves its contents out.
@main
struct Plugin {
    static func main() {}
}
#endif
