#if Macros
import SwiftSyntax

extension EntityParser {
    /// Refuses a type with the name of one that will be generated.
    mutating func checkTypeName(_ declaration: DeclSyntax) {
        guard let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name,
            !declaration.is(FunctionDeclSyntax.self), !declaration.is(MacroDeclSyntax.self),
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
        "value", "isDeleted", "changedColumns", "delete", "discardChanges",
    ]
}
#endif
