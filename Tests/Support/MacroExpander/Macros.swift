#if Macros
import MacroRequests
import SkiathosMacroExpansion
import SwiftSyntaxBuilder
import SwiftSyntaxMacroExpansion
import SwiftSyntaxMacros
import WeakProxyMacroExpansion

private struct EntityMacro: EntityExpansion {}
private struct EmbeddedMacro: EmbeddedExpansion {}
private struct ColumnAttributeMacro: ColumnAttributeExpansion {}
private struct WeakProxyMacro: WeakProxyExpansion {}
private struct FallbackMacro: FallbackExpansion {}

extension MacroRequest.Macros {
    /// The macros by their names in a source.
    var specs: [String: MacroSpec] {
        switch self {
        case .entity:
            [
                "Entity": MacroSpec(type: EntityMacro.self, conformances: ["Entity"]),
                "Embedded": MacroSpec(type: EmbeddedMacro.self, conformances: ["Embedded"]),
                "Unique": MacroSpec(type: ColumnAttributeMacro.self),
                "Indexed": MacroSpec(type: ColumnAttributeMacro.self),
                "Renamed": MacroSpec(type: ColumnAttributeMacro.self),
                "Searchable": MacroSpec(type: ColumnAttributeMacro.self),
                "Transient": MacroSpec(type: ColumnAttributeMacro.self),
                "References": MacroSpec(type: ColumnAttributeMacro.self),
            ]
        case .proxy:
            [
                "WeakProxy": MacroSpec(type: WeakProxyMacro.self),
                "Fallback": MacroSpec(type: FallbackMacro.self),
            ]
        }
    }
}
#endif
