#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder
import SwiftSyntaxMacros

/// `@WeakProxy`: reads the protocol into a model, and writes the proxy from it.
struct WeakProxyMacro: PeerMacro {
    static func expansion(
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
