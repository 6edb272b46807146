#if Macros
import SwiftDiagnostics
import SwiftSyntax

/// Reads a protocol, and collects the members that cannot be forwarded.
struct ProxyParser {
    private(set) var diagnostics: [Diagnostic] = []

    mutating func parse(_ declaration: ProtocolDeclSyntax) -> ProxyModel {
        let levels = ["public", "package", "fileprivate", "private"]
        let level = declaration.modifiers.map(\.name.text).first { levels.contains($0) }
        var model = ProxyModel(
            name: declaration.name.text, access: level.map { "\($0) " } ?? "",
            attributes: declaration.attributes.names(except: "WeakProxy"),
            isOfClasses: inherits("AnyObject", declaration))
        refuseInheritance(declaration)
        for member in declaration.memberBlock.members { parse(member.decl, into: &model) }
        return model
    }

    private mutating func parse(_ member: DeclSyntax, into model: inout ProxyModel) {
        if refuseKind(member) { return }
        if let function = member.as(FunctionDeclSyntax.self) {
            guard !refuse(function), let function = parse(function) else { return }
            model.functions.append(function)
        } else if let variable = member.as(VariableDeclSyntax.self) {
            guard !refuseCommon(variable.modifiers, Syntax(variable)) else { return }
            if let property = parse(variable) { model.properties.append(property) }
        }
    }

    mutating func report(_ node: some SyntaxProtocol, _ problem: Problem) {
        diagnostics.append(Diagnostic(node: node, message: problem))
    }

    private func inherits(_ name: String, _ declaration: ProtocolDeclSyntax) -> Bool {
        declaration.inheritanceClause?.inheritedTypes
            .contains { $0.type.trimmedDescription == name } ?? false
    }
}

extension ProxyParser {
    private mutating func parse(_ function: FunctionDeclSyntax) -> FunctionModel? {
        let effects = function.signature.effectSpecifiers
        let isAsync = effects?.asyncSpecifier != nil
        let clause = effects?.throwsClause
        let ending = ending(
            function.attributes, clause, function.signature.returnClause?.type)
        guard let ending else {
            report(function, .needsFallback(function.name.text))
            return nil
        }
        var bare = function.trimmed
        bare.attributes = []
        return FunctionModel(
            attributes: function.attributes.names(except: "Fallback"),
            signature: bare.trimmedDescription, name: function.name.text,
            arguments: function.signature.parameterClause.parameters.map(argument),
            isAsync: isAsync, isThrowing: clause != nil, ending: ending)
    }

    private mutating func parse(_ variable: VariableDeclSyntax) -> PropertyModel? {
        guard let binding = variable.bindings.first,
            let type = binding.typeAnnotation?.type,
            case .accessors(let accessors)? = binding.accessorBlock?.accessors
        else { return nil }
        let name = binding.pattern.trimmedDescription
        let getter = accessors.first { $0.accessorSpecifier.text == "get" }
        let setter = accessors.first { $0.accessorSpecifier.text == "set" }
        let clause = getter?.effectSpecifiers?.throwsClause
        guard let ending = ending(variable.attributes, clause, type) else {
            report(variable, .needsFallback(name))
            return nil
        }
        return PropertyModel(
            attributes: variable.attributes.names(except: "Fallback"), name: name,
            type: type.trimmedDescription,
            isAsync: getter?.effectSpecifiers?.asyncSpecifier != nil,
            throwing: clause?.trimmedDescription ?? "",
            isSettable: setter != nil,
            setsByMutation: setter?.modifier?.name.text != "nonmutating", ending: ending)
    }

    /// What a member does when the object is gone, or nil if it needs `@Fallback`.
    private func ending(
        _ attributes: AttributeListSyntax, _ clause: ThrowsClauseSyntax?, _ type: TypeSyntax?
    ) -> Ending? {
        if let value = attributes.fallback { return .value(value) }
        if let clause {
            let error = clause.type?.trimmedDescription ?? "any Error"
            if ["any Error", "ServiceLocatorError"].contains(error) { return .throwing }
        }
        guard let type, !["Void", "()"].contains(type.trimmedDescription) else { return .nothing }
        let isOptional =
            type.is(OptionalTypeSyntax.self)
            || type.as(IdentifierTypeSyntax.self)?.name.text == "Optional"
        return isOptional ? .value("nil") : nil
    }

    private func argument(_ parameter: FunctionParameterSyntax) -> String {
        let name = (parameter.secondName ?? parameter.firstName).text
        let label = parameter.firstName.text == "_" ? "" : "\(parameter.firstName.text): "
        let attributed = parameter.type.as(AttributedTypeSyntax.self)
        let type = attributed?.trimmedDescription ?? ""
        if type.hasPrefix("inout ") { return "\(label)&\(name)" }
        return type.contains("@autoclosure") ? "\(label)\(name)()" : "\(label)\(name)"
    }
}

extension AttributeListSyntax {
    /// The attributes as they are written, without the named one.
    func names(except name: String) -> [String] {
        compactMap {
            guard case .attribute(let attribute) = $0,
                attribute.attributeName.trimmedDescription != name
            else { return nil }
            return attribute.trimmedDescription
        }
    }

    /// The expression of `@Fallback`.
    fileprivate var fallback: String? {
        for case .attribute(let attribute) in self
        where attribute.attributeName.trimmedDescription == "Fallback" {
            guard case .argumentList(let arguments)? = attribute.arguments else { continue }
            return arguments.first?.expression.trimmedDescription
        }
        return nil
    }
}
#endif
