#if Macros
import SwiftSyntax

/// Tells which values may be the default of a public parameter.
///
/// The compiler refuses there what callers cannot see. A macro sees syntax alone, so that only what is
/// visible everywhere counts: literals, members of the property's own type, and new dates, UUIDs and data.
enum PublicDefault {
    private static let types: Set<String> = ["Data", "Date", "Decimal", "UUID"]

    /// The value of a property, if it may be one.
    static func text(of property: PropertySyntax) -> String? {
        guard let value = property.binding.initializer?.value else { return "nil" }
        return isVisible(value) ? value.trimmedDescription : nil
    }

    private static func isVisible(_ value: ExprSyntax) -> Bool {
        switch value.as(ExprSyntaxEnum.self) {
        case .booleanLiteralExpr, .floatLiteralExpr, .integerLiteralExpr, .nilLiteralExpr: true
        case .stringLiteralExpr(let text):
            text.segments.allSatisfy { $0.is(StringSegmentSyntax.self) }
        case .prefixOperatorExpr(let number): isVisible(number.expression)
        case .arrayExpr(let array): array.elements.allSatisfy { isVisible($0.expression) }
        case .dictionaryExpr(let dictionary):
            switch dictionary.content {
            case .colon: true
            case .elements(let elements):
                elements.allSatisfy { isVisible($0.key) && isVisible($0.value) }
            }
        case .memberAccessExpr(let member): member.base == nil
        case .functionCallExpr(let call): isNewValue(call)
        default: false
        }
    }

    private static func isNewValue(_ call: FunctionCallExprSyntax) -> Bool {
        guard let type = call.calledExpression.as(DeclReferenceExprSyntax.self) else {
            return false
        }
        return types.contains(type.baseName.text) && call.trailingClosure == nil
            && call.arguments.allSatisfy { isVisible($0.expression) }
    }
}
#endif
