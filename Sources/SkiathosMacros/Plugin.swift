#if Macros
import SwiftCompilerPlugin
import SwiftSyntaxMacros

@main
struct SkiathosPlugin: CompilerPlugin {
    let providingMacros: [any Macro.Type] = [
        EntityMacro.self, UniqueMacro.self, IndexedMacro.self, TransientMacro.self,
        ReferencesMacro.self, SearchableMacro.self, RenamedMacro.self,
    ]
}
#else
// A macro target has to link even where the trait leaves its contents out.
@main
struct Plugin {
    static func main() {}
}
#endif
