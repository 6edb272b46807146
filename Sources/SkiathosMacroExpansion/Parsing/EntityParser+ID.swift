#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityParser {
    /// Checks an ID that the struct declares itself: `var id: User.ID = .unassigned`.
    mutating func checkID(_ property: PropertySyntax, _ structure: StructDeclSyntax) {
        for attribute in property.attributes.own {
            report(
                .attributeOnID(attribute.plainName), at: attribute,
                fixIts: FixIt.removing(attribute))
        }
        if property.isConstant {
            let keyword = property.variable.bindingSpecifier
            report(
                .constantID, at: keyword,
                fixIts: [.replacing(keyword, with: .keyword(.var), "replace 'let' by 'var'")])
        }
        guard IDType.isDeclared(by: property, in: structure.name.text) else {
            reportID(Problem.wrongID, property, structure)
            return
        }
        if !property.hasDefault {
            report(
                .noDefaultID, at: property.binding.pattern,
                fixIts: [.giving(property.binding, default: ".unassigned")])
        }
    }

    /// Reports an ID with which there can be no conformance.
    mutating func reportID(
        _ problem: (String) -> Problem, _ property: PropertySyntax, _ structure: StructDeclSyntax
    ) {
        isHopeless = true
        report(problem(structure.name.text), at: property.binding.pattern)
    }
}

/// The ways to write the type of an entity's ID.
enum IDType {
    /// Whether the type of a property is that of the ID, by annotation or by its default.
    static func isDeclared(by property: PropertySyntax, in name: String) -> Bool {
        if let annotation = property.annotation { return isSuitable(annotation, in: name) }
        guard let value = property.binding.initializer?.value.as(MemberAccessExprSyntax.self),
            value.declName.baseName.text == "unassigned", let base = value.base
        else { return false }
        return isSuitable(TypeSyntax(stringLiteral: base.trimmedDescription), in: name)
    }

    /// Whether a type is `User.ID`, `EntityID<User>` or one of the other ways to write it.
    static func isSuitable(_ type: TypeSyntax, in name: String) -> Bool {
        let text = type.trimmedDescription
        let own = ["Self", name]
        let names =
            ["ID"] + own.flatMap { ["\($0).ID", "EntityID<\($0)>", "Skiathos.EntityID<\($0)>"] }
        // A nested entity may be written with what it stands in.
        return names.contains(text) || text.hasSuffix(".\(name).ID")
    }
}
#endif
