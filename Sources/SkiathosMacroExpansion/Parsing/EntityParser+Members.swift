#if Macros
import SwiftSyntax

/// The members in the body of a struct.
struct MemberModels {
    var columns: [ColumnModel] = []
    var relations: [RelationModel] = []
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
            } else if let function = declaration.as(FunctionDeclSyntax.self) {
                parseHook(function, of: structure)
            } else {
                checkTypeName(declaration)
            }
        }
        members.initializers.areMemberwiseForCertain = structure.isMemberwiseForCertain
        // The property that is generated comes after those that are written.
        if !members.declaresID { members.initializers.columnsBeforeID = members.columns.count }
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

    /// Which branch will be compiled is not known here.
    private mutating func checkConditional(_ conditional: IfConfigDeclSyntax) {
        for clause in conditional.clauses {
            guard case .decls(let members)? = clause.elements else { continue }
            for inner in members.compactMap({ $0.decl.as(IfConfigDeclSyntax.self) }) {
                checkConditional(inner)
            }
            for variable in members.compactMap({ $0.decl.as(VariableDeclSyntax.self) }) {
                let isStored = variable.bindings.contains { !$0.isComputed }
                guard isStored, !variable.isStatic,
                    ColumnAttributes(variable.attributes).transient.isEmpty
                else { continue }
                report(.conditional, at: variable.bindings)
            }
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
