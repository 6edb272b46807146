#if Macros
import SwiftDiagnostics
package import SwiftSyntax
package import SwiftSyntaxMacros

/// `@Entity`: the ID in the struct, and the conformance in an extension of it.
///
/// Both halves parse the declaration, since the compiler runs them apart. Only one reports
/// problems, so that each is reported once: the extension, since the compiler always asks for it,
/// and for the members of some enums never.
///
/// A protocol, because the compiler finds a macro by the module of its plugin, which therefore
/// declares the type: `struct EntityMacro: EntityExpansion {}`.
package protocol EntityExpansion: MemberMacro, ExtensionMacro {}

extension EntityExpansion {
    package static func expansion(
        of node: AttributeSyntax, providingMembersOf declaration: some DeclGroupSyntax,
        conformingTo protocols: [TypeSyntax], in context: some MacroExpansionContext
    ) throws -> [DeclSyntax] {
        var parser = EntityParser(attribute: node, context: context.lexicalContext)
        guard let entity = parser.parse(declaration) else { return [] }
        return EntityGenerator(entity, typeName: entity.name).members()
    }

    package static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        var parser = EntityParser(attribute: node, context: context.lexicalContext)
        let entity = parser.parse(declaration)
        parser.diagnostics.forEach(context.diagnose)
        guard let entity else { return [] }
        let generator = EntityGenerator(entity, typeName: type.trimmedDescription)
        // A struct that names the protocol itself gets the members alone.
        return [try generator.conformance(isDeclared: protocols.isEmpty)]
    }
}
#endif
