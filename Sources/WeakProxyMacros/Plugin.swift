#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros
import WeakProxyMacroExpansion

@main
struct WeakProxyPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [WeakProxyMacro.self, FallbackMacro.self]
}

/// `@WeakProxy`.
struct WeakProxyMacro: WeakProxyExpansion {}
/// `@Fallback`.
struct FallbackMacro: FallbackExpansion {}
#else
// A macro target has to link even where the trait leaves its contents out.
@main
struct Plugin {
    static func main() {}
}
#endif
