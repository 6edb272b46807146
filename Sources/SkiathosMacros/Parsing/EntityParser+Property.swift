#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

extension EntityParser {
    /// Reads one property and adds its column, if it has one.
    mutating func parseProperty(
        _ property: PropertySyntax, of structure: StructDeclSyntax, into members: inout MemberModels
    ) {
        guard !property.binding.isComputed else {
            if property.binding.name?.plainText == "id" {
                reportID(Problem.computedID, property, structure)
            }
            checkUnstored(property.attributes, kind: "computed")
            return
        }
        guard let name = property.binding.name else {
            if !property.isTransient { report(.tuplePattern, at: property.binding.pattern) }
            return
        }
        members.initializers.wouldIncludeID =
            members.initializers.wouldIncludeID && name.plainText == "id"
        if name.plainText == "id" {
            members.declaresID = true
            checkID(property, structure)
        } else if property.isTransient {
            checkTransient(property, name)
        } else if let column = parseColumn(property, name) {
            members.columns.append(column)
        }
    }

    /// Reads a stored property; `nil` if its type stays unknown or cannot be stored.
    private mutating func parseColumn(
        _ property: PropertySyntax, _ name: TokenSyntax
    ) -> ColumnModel? {
        checkModifiers(property, name)
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
            isIndexed: parseIndexed(property.attributes),
            deleteRule: parseDeleteRule(property.attributes, type: type, name),
            uniqueKeys: parseUniqueKeys(property.attributes, name), nameToken: name,
            isUnderstood: type != nil)
    }

    /// Whether a type names a private one that the struct declares.
    private func isPrivate(_ type: TypeSyntax) -> Bool {
        type.tokens(viewMode: .sourceAccurate).contains { privateTypes.contains($0.plainText) }
    }

    private mutating func columnType(_ property: PropertySyntax, _ name: TokenSyntax) -> TypeSyntax?
    {
        if let annotation = property.annotation {
            guard let unsupported = UnsupportedType.find(in: annotation) else {
                return annotation.trimmed
            }
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

    private mutating func reportMissingDefault(_ property: PropertySyntax, _ name: TokenSyntax) {
        guard let type = property.annotation else {
            report(
                .noType(property: name.plainText), at: name,
                fixIts: [.annotating(property.binding, with: nil)])
            return
        }
        var fixIts: [FixIt] = []
        if property.binding.typeAnnotation != nil {
            fixIts.append(.giving(property.binding, default: DefaultValue.text(for: type)))
            if !DefaultValue.isOptional(type), !property.isConstant {
                fixIts.append(.makingOptional(type))
            }
        }
        report(.noDefault(property: name.plainText), at: name, fixIts: fixIts)
    }

    private mutating func checkModifiers(_ property: PropertySyntax, _ name: TokenSyntax) {
        if property.isConstant {
            let keyword = property.variable.bindingSpecifier
            report(
                .constant(property: name.plainText), at: keyword,
                fixIts: [.replacing(keyword, with: .keyword(.var), "replace 'let' by 'var'")])
        }
        for modifier in property.variable.modifiers {
            switch modifier.name.tokenKind {
            case .keyword(.lazy), .keyword(.weak), .keyword(.unowned):
                report(
                    .modifier(modifier.name.text, property: name.plainText), at: modifier,
                    fixIts: FixIt.removing(modifier))
            default: continue
            }
        }
    }

    private mutating func checkTransient(_ property: PropertySyntax, _ name: TokenSyntax) {
        for attribute in property.attributes.forColumns {
            report(
                .transientColumn(attribute.plainName, property: name.plainText), at: attribute,
                fixIts: FixIt.removing(attribute))
        }
        for attribute in property.attributes.transient.dropFirst() {
            reportDuplicate(attribute)
        }
        if !property.hasDefault { reportMissingDefault(property, name) }
    }
}
#endif
