#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension EntityParser {
    /// Says what the declaration is in place of a struct.
    mutating func reportKind(_ declaration: some DeclGroupSyntax) {
        let keyword = declaration.introducer
        let name = declaration.asProtocol((any NamedDeclSyntax).self)?.name.text ?? "this"
        var fixIts: [FixIt] = []
        if keyword.tokenKind == .keyword(.class) {
            fixIts = [.replacing(keyword, with: .keyword(.struct), "replace 'class' by 'struct'")]
        }
        report(.notAStruct(kind: keyword.text, name: name), at: keyword, fixIts: fixIts)
    }

    /// An entity has one table, so it cannot be many types, and neither can what it stands in.
    mutating func checkGenerics(_ structure: StructDeclSyntax) {
        if let parameters = structure.genericParameterClause {
            isHopeless = true
            report(.generic(name: structure.name.text), at: parameters)
        }
        for outer in context {
            guard let parameters = outer.asProtocol((any WithGenericParametersSyntax).self),
                parameters.genericParameterClause != nil
            else { continue }
            isHopeless = true
            report(.insideGeneric(name: structure.name.text), at: structure.name)
        }
    }

    /// The extension stands at the level of the file, where a private member of another
    /// declaration cannot be named.
    mutating func checkPrivacy(_ structure: StructDeclSyntax) {
        guard !context.isEmpty,
            let modifier = structure.modifiers.first(where: {
                $0.name.tokenKind == .keyword(.private)
            })
        else { return }
        isHopeless = true
        report(
            .privateAndNested(name: structure.name.text), at: modifier,
            fixIts: [
                .replacing(
                    modifier.name, with: .keyword(.fileprivate),
                    "replace 'private' by 'fileprivate'")
            ])
    }
}
#endif
