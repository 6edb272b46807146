#if Macros
import SwiftSyntax

/// The type of a property as inferred from its default.
enum InferredType {
    /// The type, which the compiler will find too.
    case certain(String)
    /// A type that it may be; good for a suggestion.
    case likely(String)
    /// Nothing.
    case unknown

    /// The type to suggest when an annotation is required.
    var suggestion: String? { if case .likely(let type) = self { type } else { nil } }

    init(of value: ExprSyntax) {
        switch value.as(ExprSyntaxEnum.self) {
        case .stringLiteralExpr: self = .certain("Swift.String")
        case .integerLiteralExpr: self = .certain("Swift.Int")
        case .floatLiteralExpr: self = .certain("Swift.Double")
        case .booleanLiteralExpr: self = .certain("Swift.Bool")
        case .prefixOperatorExpr(let prefixed) where prefixed.isSignedNumber:
            self = InferredType(of: prefixed.expression)
        case .functionCallExpr(let call): self = InferredType(ofCall: call)
        case .sequenceExpr(let sequence): self = InferredType(ofCast: sequence)
        case .memberAccessExpr(let member):
            self = member.base.flatMap(TypeName.init).map { .likely($0.text) } ?? .unknown
        case .forceUnwrapExpr(let forced):
            let call = forced.expression.as(FunctionCallExprSyntax.self)
            self = call.flatMap { TypeName($0.callee) }.map { .likely($0.text) } ?? .unknown
        default: self = .unknown
        }
    }

    /// `Date()`, `[String]()`, `Address(street: "")`, `Date.init()`.
    private init(ofCall call: FunctionCallExprSyntax) {
        guard let type = TypeName(call.callee) else {
            let member = call.calledExpression.as(MemberAccessExprSyntax.self)
            self = member?.base.flatMap(TypeName.init).map { .likely($0.text) } ?? .unknown
            return
        }
        self = call.mayReturnOptional ? .likely(type.text + "?") : .certain(type.text)
    }

    /// `0 as Int64`.
    private init(ofCast sequence: SequenceExprSyntax) {
        let elements = Array(sequence.elements)
        guard elements.count == 3, let cast = elements[1].as(UnresolvedAsExprSyntax.self),
            cast.questionOrExclamationMark == nil, let type = elements[2].as(TypeExprSyntax.self)
        else {
            self = .unknown
            return
        }
        self = .certain(type.type.trimmedDescription)
    }
}

extension PrefixOperatorExprSyntax {
    fileprivate var isSignedNumber: Bool {
        ["-", "+"].contains(self.operator.text)
            && (expression.is(IntegerLiteralExprSyntax.self)
                || expression.is(FloatLiteralExprSyntax.self))
    }
}

extension FunctionCallExprSyntax {
    /// The called expression, without `.init`.
    fileprivate var callee: ExprSyntax {
        guard let member = calledExpression.as(MemberAccessExprSyntax.self),
            member.declName.baseName.tokenKind == .keyword(.`init`), let base = member.base
        else { return calledExpression }
        return base
    }

    /// Whether it may well be an initialiser that can fail: `Int("1")`, `URL(string: "a")`.
    fileprivate var mayReturnOptional: Bool {
        guard let first = arguments.first else { return false }
        guard let label = first.label?.text else {
            return !first.expression.is(IntegerLiteralExprSyntax.self)
                && ReferenceType.isStandard(callee.trimmedDescription)
        }
        let labels = ["rawValue", "exactly", "string", "uuidString", "base64Encoded", "identifier"]
        return labels.contains(label)
    }
}
#endif
