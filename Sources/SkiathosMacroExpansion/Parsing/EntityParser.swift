#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Turns the declaration under `@Entity` into a model, and collects every problem on the way.
struct EntityParser {
    let attribute: AttributeSyntax
    /// The declarations around the struct, the innermost first.
    let context: [Syntax]
    var diagnostics: [Diagnostic] = []
    /// Set where no conformance could compile, so that none is generated.
    var isHopeless = false
    /// The protocols that the functions of the struct are meant for.
    var requirers: Set<HookSignature.Requirer> = []
    /// The private types that the struct declares.
    var privateTypes: Set<String> = []

    init(attribute: AttributeSyntax, context: [Syntax]) {
        self.attribute = attribute
        self.context = context
    }

    /// Reads the declaration; `nil` if it cannot become an entity.
    mutating func parse(_ declaration: some DeclGroupSyntax) -> EntityModel? {
        guard let structure = declaration.as(StructDeclSyntax.self) else {
            reportKind(declaration)
            return nil
        }
        checkGenerics(structure)
        checkPrivacy(structure)
        checkModuleNames(structure)
        let members = parseMembers(structure)
        let columns = members.columns
        var entity = EntityModel(
            name: structure.name.text, access: access(of: structure),
            table: parseTable() ?? TableName.standard(for: structure.name.plainText),
            formerTables: parseFormerTables(), rawID: parseRawID(), declaresID: members.declaresID,
            initializers: members.initializers, isNested: !context.isEmpty, columns: columns,
            relations: members.relations,
            uniqueKeys: resolveUniqueKeys(columns, entity: structure.name.plainText),
            requirers: requirers, isFaulty: false)
        checkNames(columns)
        checkCount(columns)
        entity.isFaulty = !diagnostics.isEmpty
        return isHopeless ? nil : entity
    }

    mutating func report(_ problem: Problem, at node: some SyntaxProtocol, fixIts: [FixIt] = []) {
        diagnostics.append(Diagnostic(node: node, message: problem, fixIts: fixIts))
    }

    /// A member of a public extension is public without saying so.
    private func access(of structure: StructDeclSyntax) -> AccessLevel {
        if let own = AccessLevel(structure.modifiers) { return max(own, .internal) }
        let around = context.first?.as(ExtensionDeclSyntax.self)
        return max(around.flatMap { AccessLevel($0.modifiers) } ?? .internal, .internal)
    }
}
#endif
