#if Macros
import SwiftSyntax

/// An expression that can only be the name of a type: `Date`, `[String]`, `Geo.Point`, `Set<Int>`.
struct TypeName {
    let text: String

    init?(_ expression: ExprSyntax) {
        guard Self.isType(expression) else { return nil }
        text = expression.trimmedDescription
    }

    private static func isType(_ expression: ExprSyntax) -> Bool {
        switch expression.as(ExprSyntaxEnum.self) {
        case .declReferenceExpr(let name):
            return name.argumentNames == nil && name.baseName.text.first?.isUppercase == true
        case .memberAccessExpr(let member):
            return member.declName.baseName.text.first?.isUppercase == true
                && member.base.map(isType) == true
        case .genericSpecializationExpr(let generic): return isType(generic.expression)
        case .optionalChainingExpr(let optional): return isType(optional.expression)
        case .arrayExpr(let array):
            return array.elements.count == 1 && array.elements.allSatisfy { isType($0.expression) }
        case .dictionaryExpr(let dictionary):
            guard case .elements(let elements) = dictionary.content else { return false }
            return elements.count == 1 && elements.allSatisfy { isType($0.key) && isType($0.value) }
        case .typeExpr: return true
        default: return false
        }
    }
}
#endif
