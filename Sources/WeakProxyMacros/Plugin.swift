#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct WeakProxyPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [WeakProxyMacro.self, FallbackMacro.self]
}
#else
// A macro target has to link even where the trait leaves its contents out.
@main
struct Plugin {
    static func main() {}
}
#endif
