#if Macros
import SwiftDiagnostics
package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@WeakProxy`: reads the protocol into a model, and writes the proxy from it.
///
/// A protocol, because the compiler finds a macro by the module of its plugin, which therefore
/// declares the type: `struct WeakProxyMacro: WeakProxyExpansion {}`.
package protocol WeakProxyExpansion: PeerMacro {}

extension WeakProxyExpansion {
    package static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        guard let declaration = declaration.as(ProtocolDeclSyntax.self) else {
            context.diagnose(Diagnostic(node: node, message: Problem.notAProtocol))
            return []
        }
        var parser = ProxyParser()
        let model = parser.parse(declaration)
        parser.diagnostics.forEach(context.diagnose)
        guard parser.diagnostics.isEmpty else { return [] }
        return [DeclSyntax(stringLiteral: ProxyGenerator(model).declaration())]
    }
}
#endif
