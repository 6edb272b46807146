#if Macros
import SwiftSyntax

/// One property of a `var` or `let`, which may declare several.
struct PropertySyntax {
    let variable: VariableDeclSyntax
    let binding: PatternBindingSyntax
    /// The type that is written for it, if any.
    let annotation: TypeSyntax?
    let attributes: ColumnAttributes

    /// Whether it has a value without being given one.
    var hasDefault: Bool {
        if binding.initializer != nil { return true }
        // Only the short spelling of an optional begins as `nil`, and only in a `var`.
        return annotation?.is(OptionalTypeSyntax.self) == true && !isConstant
            || annotation?.is(ImplicitlyUnwrappedOptionalTypeSyntax.self) == true && !isConstant
    }

    var isConstant: Bool { variable.bindingSpecifier.tokenKind == .keyword(.let) }
    var isTransient: Bool { !attributes.transient.isEmpty }
}

extension VariableDeclSyntax {
    var isStatic: Bool {
        modifiers.contains {
            $0.name.tokenKind == .keyword(.static) || $0.name.tokenKind == .keyword(.class)
        }
    }
}

extension PatternBindingSyntax {
    /// The name, unless the pattern is a tuple.
    var name: TokenSyntax? { pattern.as(IdentifierPatternSyntax.self)?.identifier }

    /// Whether it has accessors other than observers.
    var isComputed: Bool {
        switch accessorBlock?.accessors {
        case nil: false
        case .getter: true
        case .accessors(let accessors):
            accessors.contains {
                $0.accessorSpecifier.tokenKind != .keyword(.willSet)
                    && $0.accessorSpecifier.tokenKind != .keyword(.didSet)
            }
        }
    }
}

extension TokenSyntax {
    /// The text without backticks.
    var plainText: String {
        text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2
            ? String(text.dropFirst().dropLast()) : text
    }
}
#endif
