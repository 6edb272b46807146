#if Macros
import SwiftSyntax

extension EntityParser {
    /// Reads a computed property that stands for a relationship, or `nil` if it does not.
    func parseRelation(_ property: PropertySyntax) -> RelationModel? {
        guard let name = property.binding.name, let annotation = property.annotation,
            let type = RelationModel.types[annotation.plainTypeName ?? ""]
        else { return nil }
        return RelationModel(
            property: name.text, type: type,
            access: AccessLevel(property.variable.modifiers) ?? .public)
    }
}

extension TypeSyntax {
    /// The name of the type without the module it is in and the arguments it has.
    fileprivate var plainTypeName: String? {
        if let type = self.as(IdentifierTypeSyntax.self) { return type.name.plainText }
        guard let type = self.as(MemberTypeSyntax.self),
            type.baseType.trimmedDescription == "Skiathos"
        else { return nil }
        return type.name.plainText
    }
}
#endif
