#if Macros
import SwiftDiagnostics
package import SwiftSyntax
import SwiftSyntaxBuilder
package import SwiftSyntaxMacros

/// `@Embedded`: the list of the fields, in an extension.
package protocol EmbeddedExpansion: ExtensionMacro {}

extension EmbeddedExpansion {
    package static func expansion(
        of node: AttributeSyntax, attachedTo declaration: some DeclGroupSyntax,
        providingExtensionsOf type: some TypeSyntaxProtocol, conformingTo protocols: [TypeSyntax],
        in context: some MacroExpansionContext
    ) throws -> [ExtensionDeclSyntax] {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            let problem = Problem.embeddedNotAStruct(declaration.introducer.text)
            context.diagnose(Diagnostic(node: declaration.introducer, message: problem))
            return []
        }
        if let parameters = structure.genericParameterClause {
            let problem = Problem.embeddedGeneric(structure.name.text)
            context.diagnose(Diagnostic(node: parameters, message: problem))
            return []
        }
        let model = EmbeddedModel(structure)
        let name = type.trimmedDescription
        let fields = model.fields.map {
            "Skiathos.EmbeddedField(\\\(name).\($0), \(name).CodingKeys.\($0)),"
        }
        let list = fields.isEmpty ? "[]" : "[\n\(fields.joined(separator: "\n").indented())\n]"
        let body =
            "\(model.access.prefix)nonisolated static let fields: [Skiathos.EmbeddedField<\(name)>] = \(list)"
        let clause = protocols.isEmpty ? "" : ": \(EntityGenerator.isolation)Skiathos.Embedded"
        return [
            try ExtensionDeclSyntax(
                "extension \(raw: name)\(raw: clause) {\n\(raw: body.indented())\n}")
        ]
    }
}
#endif
