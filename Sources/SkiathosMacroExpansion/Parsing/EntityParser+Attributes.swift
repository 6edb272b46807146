#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension EntityParser {
    /// Refuses the attributes of columns on a property that has none.
    mutating func checkUnstored(_ attributes: ColumnAttributes, kind: String) {
        for attribute in attributes.own {
            report(
                .unstored(attribute.plainName, kind: kind), at: attribute,
                fixIts: FixIt.removing(attribute))
        }
    }

    mutating func reportDuplicate(_ attribute: AttributeSyntax) {
        report(
            .duplicate(attribute.plainName), at: attribute,
            fixIts: FixIt.removing(attribute))
    }

    mutating func parseIndexed(_ attributes: ColumnAttributes) -> Bool {
        for attribute in attributes.indexed.dropFirst() { reportDuplicate(attribute) }
        return !attributes.indexed.isEmpty
    }

    /// Whether the words of the column are kept, which takes text.
    mutating func parseSearchable(
        _ attributes: ColumnAttributes, type: TypeSyntax?, _ name: TokenSyntax
    ) -> Bool {
        guard let attribute = attributes.searchable.first else { return false }
        for attribute in attributes.searchable.dropFirst() { reportDuplicate(attribute) }
        if let type, !TextType.isText(type) {
            let text = type.trimmedDescription
            let plain = text.hasPrefix("Swift.") ? String(text.dropFirst(6)) : text
            report(
                .notText(plain, property: name.plainText), at: attribute,
                fixIts: FixIt.removing(attribute))
        }
        return true
    }

    /// The names that the column had before.
    mutating func parseFormerNames(
        _ attributes: ColumnAttributes, _ name: TokenSyntax
    ) -> [String] {
        for attribute in attributes.renamed.dropFirst() { reportDuplicate(attribute) }
        var names: [String] = []
        for argument in attributes.renamed.first?.labeledArguments ?? [] {
            guard let former = argument.expression.plainString else {
                report(.formerNameNotLiteral("Renamed(from:)"), at: argument.expression)
                continue
            }
            if former == name.plainText || former == "id" || names.contains(former) {
                report(.formerName(former, now: name.plainText), at: argument.expression)
            }
            names.append(former)
        }
        return names
    }

    /// The delete rule as it is written, or `nil` for the default one.
    mutating func parseDeleteRule(
        _ attributes: ColumnAttributes, type: TypeSyntax?, _ name: TokenSyntax
    ) -> String? {
        guard let attribute = attributes.references.first else { return nil }
        for attribute in attributes.references.dropFirst() { reportDuplicate(attribute) }
        if let type, let plain = ReferenceType.visiblyOther(type) {
            report(
                .notAReference(plain, property: name.plainText), at: attribute,
                fixIts: FixIt.removing(attribute))
        }
        guard let rule = attribute.labeledArguments.first(where: { $0.label?.text == "onDelete" })
        else { return nil }
        let text = rule.expression.trimmedDescription
        if let type, text.hasSuffix(".nullify"), ReferenceType.isRequired(type) {
            report(
                .nullifyRequired(property: name.plainText), at: rule.expression,
                fixIts: FixIt.makingOptional(type))
        }
        return text
    }

    mutating func parseUniqueKeys(
        _ attributes: ColumnAttributes, _ name: TokenSyntax
    ) -> [UniqueKeyModel] {
        attributes.unique.map { attribute in
            var key = UniqueKeyModel(attribute: attribute, others: [])
            for argument in attribute.labeledArguments {
                if let other = argument.expression.plainString {
                    key.others.append((other, argument.expression))
                } else {
                    report(.uniqueNotLiteral, at: argument.expression)
                }
            }
            return key
        }
    }
}
#endif
