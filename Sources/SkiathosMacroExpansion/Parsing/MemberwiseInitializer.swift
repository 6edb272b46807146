#if Macros
import SwiftSyntax

/// Tells whether a struct certainly has an initialiser with a parameter for each stored property, in
/// the order of their declaration.
///
/// A macro sees the syntax of the struct alone. So whatever another macro, a property wrapper or a
/// condition could change counts as uncertain.
extension StructDeclSyntax {
    var isMemberwiseForCertain: Bool {
        attributes.areHarmless && memberBlock.members.allSatisfy { $0.decl.isHarmless }
    }
}

extension DeclSyntax {
    /// Whether the initialiser exists and has a parameter for this member, if that is stored.
    fileprivate var isHarmless: Bool {
        switch self.as(DeclSyntaxEnum.self) {
        case .variableDecl(let variable): variable.isHarmless
        case .functionDecl, .subscriptDecl, .typeAliasDecl, .structDecl, .enumDecl, .classDecl,
            .actorDecl:
            asProtocol((any WithAttributesSyntax).self)?.attributes.areHarmless == true
        // Among them initialisers, `#if` and macros.
        default: false
        }
    }
}

extension AttributeListSyntax {
    /// Attributes that add no members and no accessors.
    private static let harmless: Set<String> = [
        "Embedded", "Entity", "Indexed", "References", "Renamed", "Searchable", "Unique",
        "available", "discardableResult", "frozen", "inlinable", "inline", "usableFromInline",
    ]

    fileprivate var areHarmless: Bool {
        allSatisfy {
            guard case .attribute(let attribute) = $0 else { return false }
            return Self.harmless.contains(attribute.plainName)
        }
    }
}

extension VariableDeclSyntax {
    fileprivate var isHarmless: Bool {
        guard attributes.areHarmless else { return false }
        return isStatic || bindings.allSatisfy { $0.isComputed || isHarmless($0) }
    }

    /// Whether a stored property is a parameter under its name.
    private func isHarmless(_ binding: PatternBindingSyntax) -> Bool {
        guard let name = binding.name, name.text == name.plainText, binding.accessorBlock == nil,
            bindingSpecifier.tokenKind == .keyword(.var)
        else { return false }
        return modifiers.allSatisfy(\.keepsParameter)
    }
}

extension DeclModifierSyntax {
    /// Whether a property with this modifier is a parameter that the whole file sees.
    fileprivate var keepsParameter: Bool {
        switch name.tokenKind {
        case .keyword(.internal), .keyword(.package), .keyword(.public), .keyword(.nonisolated):
            true
        // `private(set)` and the like.
        default: detail?.detail.text == "set"
        }
    }
}
#endif
