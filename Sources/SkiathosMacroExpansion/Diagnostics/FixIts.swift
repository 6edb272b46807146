#if Macros
import SwiftDiagnostics
import SwiftSyntax
import SwiftSyntaxBuilder

/// The description of a fix-it.
struct Repair: FixItMessage {
    let message: String
    var fixItID: MessageID { MessageID(domain: "Skiathos", id: message) }
}

extension FixIt {
    /// Replaces a node by another, with the same space around it.
    static func replacing<Node: SyntaxProtocol>(
        _ old: Node, with new: Node, _ message: String
    ) -> FixIt {
        var new = new
        new.leadingTrivia = old.leadingTrivia
        new.trailingTrivia = old.trailingTrivia
        return FixIt(
            message: Repair(message: message),
            changes: [.replace(oldNode: Syntax(old), newNode: Syntax(new))])
    }

    /// Writes a type behind the name of a property; a placeholder if none is known.
    static func annotating(_ binding: PatternBindingSyntax, with type: String?) -> FixIt {
        var new = binding
        new.pattern.trailingTrivia = []
        new.typeAnnotation = TypeAnnotationSyntax(
            colon: .colonToken(trailingTrivia: .space),
            type: TypeSyntax(stringLiteral: type ?? "<#type#>"),
            trailingTrivia: binding.pattern.trailingTrivia)
        return .replacing(binding, with: new, "add ': \(type ?? "type")'")
    }

    /// Writes a default behind the type of a property.
    static func giving(_ binding: PatternBindingSyntax, default value: String) -> FixIt {
        var new = binding
        let space = binding.typeAnnotation?.trailingTrivia ?? []
        new.typeAnnotation?.trailingTrivia = []
        new.initializer = InitializerClauseSyntax(
            equal: .equalToken(leadingTrivia: .space, trailingTrivia: .space),
            value: ExprSyntax(stringLiteral: value), trailingTrivia: space)
        let shown = value == "<#default#>" ? "default" : value
        return .replacing(binding, with: new, "add '= \(shown)'")
    }

    /// Writes a question mark behind a type, if it stands in the source and needs no parentheses.
    static func makingOptional(_ type: TypeSyntax) -> [FixIt] {
        guard type.parent != nil, !DefaultValue.isOptional(type),
            !type.is(FunctionTypeSyntax.self), !type.is(AttributedTypeSyntax.self),
            !type.is(SomeOrAnyTypeSyntax.self), !type.is(CompositionTypeSyntax.self)
        else { return [] }
        let optional = OptionalTypeSyntax(wrappedType: type.trimmed)
        return [.replacing(type, with: TypeSyntax(optional), "make it optional")]
    }

    /// Writes `@Transient` before a property.
    static func addingTransient(to variable: VariableDeclSyntax) -> FixIt {
        var new = variable
        new.leadingTrivia = []
        let attribute = AttributeSyntax(
            attributeName: TypeSyntax(stringLiteral: "Transient"), trailingTrivia: .space)
        new.attributes.insert(.attribute(attribute), at: new.attributes.startIndex)
        return .replacing(variable, with: new, "add '@Transient'")
    }

    /// Removes an attribute, if it belongs to a property directly.
    static func removing(_ attribute: AttributeSyntax) -> [FixIt] {
        guard let variable = attribute.parent?.parent?.as(VariableDeclSyntax.self) else {
            return []
        }
        var new = variable
        new.attributes = variable.attributes.filter { $0.id != attribute.id }
        return [.replacing(variable, with: new, "remove '\(attribute.trimmedDescription)'")]
    }

    /// Removes a modifier of a property.
    static func removing(_ modifier: DeclModifierSyntax) -> [FixIt] {
        guard let variable = modifier.parent?.parent?.as(VariableDeclSyntax.self) else { return [] }
        var new = variable
        new.modifiers = variable.modifiers.filter { $0.id != modifier.id }
        return [.replacing(variable, with: new, "remove '\(modifier.trimmedDescription)'")]
    }
}
#endif
