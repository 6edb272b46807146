#if Macros
import SwiftSyntax

/// A function of an entity that the store calls, and only if it is declared as here.
struct HookSignature {
    /// A parameter: its label, how it is passed, and the ways to write its type.
    struct Parameter {
        var label: String
        var isInout = false
        var types: Set<String>
    }

    /// The protocol that requires the function.
    enum Requirer: String {
        case entity = "Entity"
        case hooks = "WriteHooks"
        case observer = "CommitObserving"
    }

    var requirer: Requirer
    var isStatic: Bool
    var parameters: [Parameter]
    var mayThrow: Bool
    /// The declaration as it should be.
    var text: String

    /// The function that one of a name is probably meant to be, or `nil` if that is not to be seen.
    init?(_ function: FunctionDeclSyntax, in entity: String) {
        let name = function.name.plainText
        let mentioned = function.signature.parameterClause.description
        let owners = [entity, "Self"]
        func types(_ generic: String) -> Set<String> {
            Set(owners.flatMap { ["\(generic)<\($0)>", "Skiathos.\(generic)<\($0)>"] })
        }
        switch name {
        case "willInsert", "willUpdate", "willDelete":
            requirer = .hooks
            isStatic = true
            mayThrow = true
            parameters = [
                Parameter(label: "_", types: types("Managed")),
                Parameter(label: "in", types: ["WriteContext", "Skiathos.WriteContext"]),
            ]
            text =
                "static func \(name)(_ object: Managed<\(entity)>, in context: WriteContext) throws"
        case "validate" where mentioned.contains("Validation"):
            requirer = .entity
            isStatic = false
            mayThrow = false
            parameters = [Parameter(label: "_", isInout: true, types: types("Validation"))]
            text = "func validate(_ validation: inout Validation<\(entity)>)"
        case "didCommit" where mentioned.contains("EntityChanges"):
            requirer = .observer
            isStatic = true
            mayThrow = false
            parameters = [Parameter(label: "_", types: types("EntityChanges"))]
            text = "static func didCommit(_ changes: EntityChanges<\(entity)>)"
        default: return nil
        }
    }

    /// Whether a function is declared so that the store will call it, as far as its spelling shows.
    func isMet(by function: FunctionDeclSyntax, in entity: String) -> Bool {
        let effects = function.signature.effectSpecifiers
        let found = function.signature.parameterClause.parameters
        let result = function.signature.returnClause?.type.trimmedDescription ?? "Void"
        return function.isStatic == isStatic && function.genericParameterClause == nil
            && effects?.asyncSpecifier == nil && (mayThrow || effects?.throwsClause == nil)
            && ["Void", "()", "Swift.Void"].contains(result)
            && !function.modifiers.contains { $0.name.tokenKind == .keyword(.mutating) }
            && AccessLevel(function.modifiers) != .fileprivate
            && found.count == parameters.count
            && zip(found, parameters).allSatisfy { $1.isMet(by: $0, in: entity) }
    }
}

extension HookSignature.Parameter {
    fileprivate func isMet(by parameter: FunctionParameterSyntax, in entity: String) -> Bool {
        let specifiers = parameter.type.as(AttributedTypeSyntax.self)?.specifiers ?? []
        let isInout = specifiers.contains { $0.trimmedDescription == "inout" }
        let type = parameter.type.as(AttributedTypeSyntax.self)?.baseType ?? parameter.type
        return parameter.firstName.text == label && isInout == self.isInout
            && parameter.ellipsis == nil && mayBeMeant(type, in: entity)
    }

    /// Whether a type is the right one, or one of which the spelling says nothing.
    private func mayBeMeant(_ type: TypeSyntax, in entity: String) -> Bool {
        let text = type.trimmedDescription
        if types.contains(text) { return true }
        // A nested entity may be written with what it stands in.
        if text.hasSuffix(".\(entity)>") { return types.contains { text.hasSameHead(as: $0) } }
        guard let name = type.as(IdentifierTypeSyntax.self) else { return false }
        let others = [
            entity, "Self", "Validation", "Managed", "EntityChanges", "ReadContext", "WriteContext",
        ]
        return name.genericArgumentClause == nil && !others.contains(name.name.text)
            && !ReferenceType.isStandard(name.name.text)
    }
}

extension String {
    /// Whether what stands before the generic arguments is the same.
    fileprivate func hasSameHead(as other: String) -> Bool {
        prefix { $0 != "<" } == other.prefix { $0 != "<" }
    }
}

extension FunctionDeclSyntax {
    fileprivate var isStatic: Bool {
        modifiers.contains { $0.name.tokenKind == .keyword(.static) }
    }
}
#endif
