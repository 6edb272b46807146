#if Macros
import SwiftSyntax

/// Whether a type is a reference, as far as its spelling shows.
enum ReferenceType {
    private static let numbers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
        "Double", "Float", "Decimal",
    ]
    private static let others: Set<String> = [
        "Bool", "String", "Character", "Data", "Date", "UUID", "URL",
    ]

    /// Whether it is the name of a number, text, date or the like.
    static func isStandard(_ name: String) -> Bool {
        let plain = name.split(separator: ".").last.map(String.init) ?? name
        return numbers.contains(plain) || others.contains(plain)
    }

    static func isNumber(_ name: String) -> Bool { numbers.contains(name) }

    /// The name of a type that certainly does not refer to an entity.
    static func visiblyOther(_ type: TypeSyntax) -> String? {
        if let optional = type.as(OptionalTypeSyntax.self) {
            return visiblyOther(optional.wrappedType)
        }
        let text = type.trimmedDescription
        if type.is(ArrayTypeSyntax.self) || type.is(DictionaryTypeSyntax.self) { return text }
        guard isStandard(text) else { return nil }
        return text.hasPrefix("Swift.") ? String(text.dropFirst(6)) : text
    }

    /// The name of a type that may be an entity, such as `Category` or `Shop.Category`.
    static func possibleEntity(_ type: TypeSyntax) -> String? {
        guard !isRequired(type), visiblyOther(type) == nil else { return nil }
        if let name = type.as(IdentifierTypeSyntax.self) {
            return name.genericArgumentClause == nil ? name.trimmedDescription : nil
        }
        return type.is(MemberTypeSyntax.self) ? type.trimmedDescription : nil
    }

    /// Whether it certainly is a reference that is always there.
    static func isRequired(_ type: TypeSyntax) -> Bool {
        if let member = type.as(MemberTypeSyntax.self) {
            return ["ID", "EntityID"].contains(member.name.text)
        }
        return type.as(IdentifierTypeSyntax.self)?.name.text == "EntityID"
    }
}

/// Whether a type is text, as far as its spelling shows.
enum TextType {
    /// Whether it is `String` or an optional of it.
    static func isText(_ type: TypeSyntax) -> Bool {
        if let optional = type.as(OptionalTypeSyntax.self) { return isText(optional.wrappedType) }
        let text = type.trimmedDescription
        return ["String", "Swift.String", "Optional<String>"].contains(text)
    }
}

/// Defaults to offer where a property has none.
enum DefaultValue {
    /// A value of the type, or a placeholder for one.
    static func text(for type: TypeSyntax) -> String {
        if isOptional(type) { return "nil" }
        if type.is(ArrayTypeSyntax.self) { return "[]" }
        if type.is(DictionaryTypeSyntax.self) { return "[:]" }
        let text = type.trimmedDescription
        if ReferenceType.isNumber(text) { return "0" }
        if ReferenceType.isRequired(type) { return ".unassigned" }
        return switch text {
        case "String": "\"\""
        case "Bool": "false"
        case "Data", "Date", "UUID": "\(text)()"
        default: "<#default#>"
        }
    }

    static func isOptional(_ type: TypeSyntax) -> Bool {
        if type.is(OptionalTypeSyntax.self) { return true }
        return type.as(IdentifierTypeSyntax.self).map {
            $0.name.text == "Optional" && $0.genericArgumentClause != nil
        } ?? false
    }
}
#endif
