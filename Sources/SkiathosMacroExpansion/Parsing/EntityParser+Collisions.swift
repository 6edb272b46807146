#if Macros
import SwiftSyntax

extension EntityParser {
    /// Refuses a type with the name of one that will be generated.
    mutating func checkTypeName(_ declaration: DeclSyntax) {
        guard let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name,
            !declaration.is(MacroDeclSyntax.self),
            generatedTypes.contains(name.plainText)
        else { return }
        isHopeless = true
        report(.collision(name.plainText), at: name)
    }

    /// The types that will be generated for this entity.
    private var generatedTypes: Set<String> {
        var names: Set = ["Columns", "ID"]
        if argument("id") != nil { names.insert("RawID") }
        if !context.isEmpty { names.insert("ColumnTypes") }
        return names
    }

    /// Refuses a static property with the name of one that will be generated.
    mutating func checkStatic(_ variable: VariableDeclSyntax) {
        for name in variable.bindings.compactMap({ $0.name }) {
            guard EntityGenerator.staticNames.contains(name.plainText) else { continue }
            isHopeless = true
            report(.collision(name.plainText), at: name)
        }
    }

    /// Refuses a column that an object of a write could not show.
    ///
    /// A member of `Managed` comes before the property of the value: the object would answer for
    /// the row, without a word.
    mutating func checkShadowing(_ name: TokenSyntax) {
        guard Self.membersOfObjects.contains(name.plainText) else { return }
        report(.shadowed(property: name.plainText), at: name)
    }

    private static let membersOfObjects: Set = [
        "value", "isDeleted", "changedColumns", "delete", "discardChanges", "related",
    ]

    /// Refuses a declaration that hides the modules which the generated code names.
    mutating func checkModuleNames(_ structure: StructDeclSyntax) {
        let outer = context.compactMap { $0.asProtocol((any NamedDeclSyntax).self)?.name }
        let members = structure.memberBlock.members.flatMap { member -> [TokenSyntax] in
            if let variable = member.decl.as(VariableDeclSyntax.self) {
                return variable.bindings.compactMap { $0.name }
            }
            return [member.decl.asProtocol((any NamedDeclSyntax).self)?.name].compactMap { $0 }
        }
        for name in [structure.name] + members where Self.modules.contains(name.plainText) {
            isHopeless = true
            report(.hidesModule(name.plainText), at: name)
        }
        for name in outer where Self.modules.contains(name.plainText) {
            isHopeless = true
            report(.insideModuleName(name.plainText), at: structure.name)
        }
    }

    /// Refuses a column whose name means something else in a key path: `\User.Type` is none.
    mutating func checkKeyPath(_ name: TokenSyntax) {
        guard Self.namesOfTypes.contains(name.plainText) else { return }
        report(.noKeyPath(property: name.plainText), at: name)
    }

    private static let namesOfTypes: Set = ["Type", "Protocol", "self", "RawID", "Columns"]

    private static let modules: Set = ["Swift", "Skiathos"]
}
#endif
