#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityParser {
    /// Reads a stored property.
    mutating func parseColumn(_ property: PropertySyntax, _ name: TokenSyntax) -> ColumnModel {
        let isPlain = checkModifiers(property, name)
        checkShadowing(name)
        checkKeyPath(name)
        for attribute in property.attributes.unknown {
            report(
                .unknownAttribute(attribute.plainName, property: name.plainText), at: attribute,
                fixIts: [.addingTransient(to: property.variable)])
        }
        if !property.hasDefault { reportMissingDefault(property, name) }
        let type = columnType(property, name)
        return ColumnModel(
            property: name.text, name: name.plainText,
            type: type ?? TypeSyntax(stringLiteral: "Never"),
            access: type.map(isPrivate) == true
                ? .private : AccessLevel(property.variable.modifiers) ?? .internal,
            publicDefault: PublicDefault.text(of: property),
            deprecations: property.attributes.deprecations,
            isIndexed: parseIndexed(property.attributes),
            isSearchable: parseSearchable(property.attributes, type: type, name),
            formerNames: parseFormerNames(property.attributes, name),
            deleteRule: parseDeleteRule(property.attributes, type: type, name),
            uniqueKeys: parseUniqueKeys(property.attributes, name), nameToken: name,
            isUnderstood: isPlain && type != nil)
    }

    /// Whether a type names a private one that the struct declares.
    private func isPrivate(_ type: TypeSyntax) -> Bool {
        type.tokens(viewMode: .sourceAccurate).contains { privateTypes.contains($0.plainText) }
    }

    /// The type of a column; `nil` if it stays unknown or cannot be stored.
    private mutating func columnType(_ property: PropertySyntax, _ name: TokenSyntax) -> TypeSyntax?
    {
        if let annotation = property.annotation {
            guard let unsupported = UnsupportedType.find(in: annotation) else { return annotation }
            let problem = Problem.unsupportedType(
                unsupported.node.trimmedDescription, unsupported.reason, property: name.plainText)
            report(problem, at: unsupported.node, fixIts: unsupported.fixIts)
            return nil
        }
        guard let value = property.binding.initializer?.value else { return nil }
        let inferred = InferredType(of: value)
        if case .certain(let type) = inferred { return TypeSyntax(stringLiteral: type) }
        report(
            .noType(property: name.plainText), at: name,
            fixIts: [.annotating(property.binding, with: inferred.suggestion)])
        return nil
    }

    /// Asks for a default, or for the type that one could be found for.
    mutating func reportMissingDefault(_ property: PropertySyntax, _ name: TokenSyntax) {
        guard let type = property.annotation else {
            report(
                .noType(property: name.plainText), at: name,
                fixIts: [.annotating(property.binding, with: nil)])
            return
        }
        var fixIts: [FixIt] = []
        if property.binding.typeAnnotation != nil {
            fixIts.append(.giving(property.binding, default: DefaultValue.text(for: type)))
            if !property.isConstant { fixIts += FixIt.makingOptional(type) }
        }
        report(
            .noDefault(
                property: name.plainText, isReference: ReferenceType.isRequired(type),
                type: property.isTransient ? nil : ReferenceType.possibleEntity(type)),
            at: name, fixIts: fixIts)
    }

    /// Returns whether values can be read and written plainly.
    private mutating func checkModifiers(_ property: PropertySyntax, _ name: TokenSyntax) -> Bool {
        var isPlain = true
        if property.isConstant {
            let keyword = property.variable.bindingSpecifier
            report(
                .constant(property: name.plainText), at: keyword,
                fixIts: [.replacing(keyword, with: .keyword(.var), "replace 'let' by 'var'")])
        }
        for modifier in property.variable.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.lazy), .keyword(.weak), .keyword(.unowned):
                isPlain = false
                report(
                    .modifier(modifier.name.text, property: name.plainText), at: modifier,
                    fixIts: FixIt.removing(modifier))
            default: continue
            }
        }
        return isPlain
    }
}
#endif
