#if Macros
import SwiftSyntax

/// A struct whose fields can be queried.
struct EmbeddedModel {
    /// The names of the properties that are encoded, in the order of their declaration.
    let fields: [String]
    /// How far the struct can be seen.
    let access: AccessLevel

    init(_ structure: StructDeclSyntax) {
        access = AccessLevel(structure.modifiers) ?? .internal
        let members = structure.memberBlock.members.map(\.decl)
        let keys = members.compactMap { $0.as(EnumDeclSyntax.self) }
            .first { $0.name.text == "CodingKeys" }.map(Self.cases)
        let names = members.compactMap { $0.as(VariableDeclSyntax.self) }.flatMap(Self.stored)
        fields = keys.map { keys in names.filter(keys.contains) } ?? names
    }

    private static func cases(of keys: EnumDeclSyntax) -> Set<String> {
        let cases = keys.memberBlock.members.compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
        return Set(cases.flatMap { $0.elements.map(\.name.text) })
    }

    private static func stored(_ variable: VariableDeclSyntax) -> [String] {
        let isLazy = variable.modifiers.contains { $0.name.tokenKind == .keyword(.lazy) }
        guard !variable.isStatic, !isLazy else { return [] }
        return variable.bindings.compactMap { $0.isComputed ? nil : $0.name?.text }
    }
}
#endif
