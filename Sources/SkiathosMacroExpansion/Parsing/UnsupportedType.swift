#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// A type that no column can keep, as far as its spelling shows.
struct UnsupportedType {
    let node: TypeSyntax
    /// A description of the type, for the message.
    let reason: String
    var fixIts: [FixIt] = []

    /// Looks through a type from the outside to the inside; `nil` if nothing speaks against it.
    static func find(in type: TypeSyntax) -> UnsupportedType? {
        if let reason = reason(type) { return UnsupportedType(node: type, reason: reason) }
        switch type.as(TypeSyntaxEnum.self) {
        case .implicitlyUnwrappedOptionalType(let forced):
            let optional = OptionalTypeSyntax(wrappedType: forced.wrappedType)
            return UnsupportedType(
                node: type, reason: "an implicitly unwrapped optional",
                fixIts: [.replacing(type, with: TypeSyntax(optional), "replace '!' by '?'")])
        case .optionalType(let optional):
            if DefaultValue.isOptional(optional.wrappedType) {
                return UnsupportedType(node: type, reason: "an optional of an optional")
            }
            return find(in: optional.wrappedType)
        case .arrayType(let array): return find(in: array.element)
        case .dictionaryType(let dictionary):
            return find(in: dictionary.key) ?? find(in: dictionary.value)
        case .tupleType(let parentheses):
            return parentheses.elements.first.flatMap { find(in: $0.type) }
        default: return nil
        }
    }

    private static func reason(_ type: TypeSyntax) -> String? {
        switch type.as(TypeSyntaxEnum.self) {
        case .tupleType(let tuple) where tuple.elements.count != 1: "a tuple"
        case .functionType: "a function"
        case .attributedType(let attributed):
            attributed.baseType.is(FunctionTypeSyntax.self)
                ? "a function" : "a type with specifiers"
        case .someOrAnyType(let type):
            type.someOrAnySpecifier.tokenKind == .keyword(.some)
                ? "an opaque type" : "an existential type"
        case .compositionType: "an existential type"
        case .metatypeType: "a metatype"
        case .identifierType(let identifier) where names.keys.contains(identifier.name.text):
            names[identifier.name.text]
        default: nil
        }
    }

    private static let names = [
        "Any": "an existential type", "AnyObject": "an existential type",
        "AnyHashable": "a type-erased value", "Void": "a tuple",
    ]
}
#endif
