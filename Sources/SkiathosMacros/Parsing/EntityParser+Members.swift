#if Macros
import SwiftSyntax

/// What the body of a struct holds.
struct MemberModels {
    var columns: [ColumnModel] = []
    var declaresID = false
    var initializers = InitializerModel()
}

extension EntityParser {
    /// Reads the members of a struct.
    mutating func parseMembers(_ structure: StructDeclSyntax) -> MemberModels {
        var members = MemberModels()
        privateTypes = structure.privateTypes
        for member in structure.memberBlock.members {
            let declaration = member.decl
            if let variable = declaration.as(VariableDeclSyntax.self) {
                parseVariable(variable, of: structure, into: &members)
            } else if let initializer = declaration.as(InitializerDeclSyntax.self) {
                parseInitializer(initializer, of: structure, into: &members.initializers)
            } else if let conditional = declaration.as(IfConfigDeclSyntax.self) {
                checkConditional(conditional)
            } else {
                checkTypeName(declaration)
            }
        }
        return members
    }

    private mutating func parseVariable(
        _ variable: VariableDeclSyntax, of structure: StructDeclSyntax,
        into members: inout MemberModels
    ) {
        let attributes = ColumnAttributes(variable.attributes)
        if variable.isStatic {
            checkStatic(variable)
            checkUnstored(attributes, kind: "static")
            return
        }
        var laterAnnotation: TypeSyntax?
        var properties: [PropertySyntax] = []
        // In `var a, b: Int` the annotation is that of both.
        for binding in variable.bindings.reversed() {
            if let annotation = binding.typeAnnotation {
                laterAnnotation = annotation.type
            } else if binding.initializer != nil {
                laterAnnotation = nil
            }
            properties.append(
                PropertySyntax(
                    variable: variable, binding: binding, annotation: laterAnnotation,
                    attributes: attributes))
        }
        for property in properties.reversed() {
            parseProperty(property, of: structure, into: &members)
        }
    }

    private mutating func parseInitializer(
        _ initializer: InitializerDeclSyntax, of structure: StructDeclSyntax,
        into models: inout InitializerModel
    ) {
        models.areDeclared = true
        let parameters = initializer.signature.parameterClause.parameters
        if parameters.allSatisfy({ $0.defaultValue != nil || $0.ellipsis != nil }) {
            models.includeEmpty = true
            let effects = initializer.signature.effectSpecifiers
            if initializer.optionalMark != nil || effects?.asyncSpecifier != nil
                || effects?.throwsClause != nil
            {
                report(.emptyInitializerMayFail, at: initializer.initKeyword)
            }
        }
        if let only = parameters.first, parameters.count == 1, only.firstName.text == "id",
            IDType.isSuitable(only.type, in: structure.name.text)
        {
            models.includeID = true
        }
    }

    /// Which branch will be compiled is not known here.
    private mutating func checkConditional(_ conditional: IfConfigDeclSyntax) {
        for clause in conditional.clauses {
            guard case .decls(let members)? = clause.elements else { continue }
            for variable in members.compactMap({ $0.decl.as(VariableDeclSyntax.self) }) {
                let isStored = variable.bindings.contains { !$0.isComputed }
                guard isStored, !variable.isStatic,
                    ColumnAttributes(variable.attributes).transient.isEmpty
                else { continue }
                report(.conditional, at: variable.bindings)
            }
        }
    }

    private mutating func checkTypeName(_ declaration: DeclSyntax) {
        guard let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name,
            !declaration.is(FunctionDeclSyntax.self), !declaration.is(MacroDeclSyntax.self),
            generatedTypes.contains(name.plainText)
        else { return }
        isHopeless = true
        report(.collision(name.plainText), at: name)
    }

    /// The types that will be generated for this entity.
    private var generatedTypes: Set<String> {
        var names: Set = ["Columns", "ID"]
        if argument("id") != nil { names.insert("RawID") }
        if !context.isEmpty { names.insert("ColumnTypes") }
        return names
    }

    private mutating func checkStatic(_ variable: VariableDeclSyntax) {
        for name in variable.bindings.compactMap({ $0.name }) {
            guard EntityGenerator.staticNames.contains(name.plainText) else { continue }
            isHopeless = true
            report(.collision(name.plainText), at: name)
        }
    }
}

extension StructDeclSyntax {
    /// The names of the types in the body that only the body and its extensions see.
    fileprivate var privateTypes: Set<String> {
        let names = memberBlock.members.compactMap { member -> String? in
            let modifiers = member.decl.asProtocol((any WithModifiersSyntax).self)?.modifiers ?? []
            guard modifiers.contains(where: { $0.name.tokenKind == .keyword(.private) }) else {
                return nil
            }
            return member.decl.asProtocol((any NamedDeclSyntax).self)?.name.plainText
        }
        return Set(names)
    }
}
#endif
