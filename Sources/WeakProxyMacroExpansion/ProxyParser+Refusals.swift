#if Macros
import SwiftSyntax

// Diagnostics for members that cannot be forwarded.
extension ProxyParser {
    mutating func refuseInheritance(_ declaration: ProtocolDeclSyntax) {
        for inherited in declaration.inheritanceClause?.inheritedTypes ?? [] {
            let name = inherited.type.trimmedDescription
            if ["Sendable", "AnyObject"].contains(name) { continue }
            report(
                inherited,
                .unsupported(
                    "what '\(name)' requires",
                    because: "a macro sees this declaration alone; write the proxy by hand, or "
                        + "declare the members here"))
        }
        if let clause = declaration.primaryAssociatedTypeClause {
            report(
                clause,
                .unsupported("associated types", because: "the object's types are not known"))
        }
    }

    /// Reports members that are neither functions nor properties.
    mutating func refuseKind(_ member: DeclSyntax) -> Bool {
        let problem: Problem?
        switch member.kind {
        case .associatedTypeDecl:
            problem = .unsupported("associated types", because: "the object's types are not known")
        case .initializerDecl:
            problem = .unsupported(
                "initializers", because: "a proxy is made for an object that exists")
        case .subscriptDecl:
            problem = .unsupported("subscripts", because: "use a function instead")
        case .ifConfigDecl:
            problem = .unsupported(
                "members under a condition", because: "the macro cannot tell whether it holds")
        default:
            problem = nil
        }
        if let problem { report(member, problem) }
        return problem != nil
    }

    mutating func refuse(_ function: FunctionDeclSyntax) -> Bool {
        if refuseCommon(function.modifiers, Syntax(function)) { return true }
        let parameters = function.signature.parameterClause.parameters
        if let variadic = parameters.first(where: { $0.ellipsis != nil }) {
            report(
                variadic,
                .unsupported("variadic parameters", because: "Swift cannot pass them on"))
            return true
        }
        let clause = function.signature.effectSpecifiers?.throwsClause
        if let clause, clause.throwsSpecifier.text == "rethrows" {
            report(
                clause, .unsupported("'rethrows'", because: "the proxy throws errors of its own"))
            return true
        }
        return false
    }

    mutating func refuseCommon(_ modifiers: DeclModifierListSyntax, _ member: Syntax) -> Bool {
        let reasons = [
            "static": "a proxy stands for an object, not for its type",
            "mutating": "an object is not replaced by its functions",
        ]
        for modifier in modifiers {
            guard let reason = reasons[modifier.name.text] else { continue }
            report(modifier, .unsupported("\(modifier.name.text) members", because: reason))
            return true
        }
        for token in member.tokens(viewMode: .sourceAccurate) where token.text == "Self" {
            report(
                token,
                .unsupported("'Self'", because: "the proxy is of another type than the object"))
            return true
        }
        return false
    }
}
#endif
