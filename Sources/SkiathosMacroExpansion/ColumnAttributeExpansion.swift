#if Macros
import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// An attribute that only `@Entity` reads.
///
/// It generates nothing, and reports an error where no `@Entity` reads it.
package protocol ColumnAttributeExpansion: PeerMacro {}

extension ColumnAttributeExpansion {
    package static func expansion(
        of node: AttributeSyntax, providingPeersOf declaration: some DeclSyntaxProtocol,
        in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        if let problem = problem(node, declaration, context.lexicalContext) {
            context.diagnose(Diagnostic(node: node, message: problem))
        }
        return []
    }

    private static func problem(
        _ node: AttributeSyntax, _ declaration: some DeclSyntaxProtocol, _ outer: [Syntax]
    ) -> Problem? {
        guard declaration.is(VariableDeclSyntax.self) else { return .misplaced(node.plainName) }
        let attributes = outer.first?.asProtocol((any WithAttributesSyntax).self)?.attributes
        let isEntity = attributes?.flattened.contains { $0.plainName == "Entity" } ?? false
        return isEntity ? nil : .noEntity(node.plainName)
    }
}
#endif
