#if Macros
import SwiftSyntax
import SwiftSyntaxMacros

/// `@Fallback`, which only `@WeakProxy` gives a meaning to.
///
/// It generates nothing.
struct FallbackMacro: PeerMacro {
    static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
#endif
