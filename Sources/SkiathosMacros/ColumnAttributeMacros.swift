#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxMacros

/// An attribute that only `@Entity` gives a meaning to.
///
/// It generates nothing, and complains where
/// no `@Entity` will ever look at it.
protocol ColumnAttributeMacro: PeerMacro {}

extension ColumnAttributeMacro {
    static func expansion(
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

/// `@Unique`.
struct UniqueMacro: ColumnAttributeMacro {}
/// `@Indexed`.
struct IndexedMacro: ColumnAttributeMacro {}
/// `@Searchable`.
struct SearchableMacro: ColumnAttributeMacro {}
/// `@Renamed(from:)`.
struct RenamedMacro: ColumnAttributeMacro {}
/// `@Transient`.
struct TransientMacro: ColumnAttributeMacro {}
/// `@References(onDelete:)`.
struct ReferencesMacro: ColumnAttributeMacro {}
#endif
