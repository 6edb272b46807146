#if Macros
package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Fallback`, which only `@WeakProxy` reads.
///
/// It generates nothing.
package protocol FallbackExpansion: PeerMacro {}

extension FallbackExpansion {
    package static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] { [] }
}
#endif
