#if Macros
import SwiftSyntax

extension EntityParser {
    /// Refuses a function that is nearly one which the store calls, and would never be called.
    ///
    /// Notes which conformances the others need.
    mutating func parseHook(_ function: FunctionDeclSyntax, of structure: StructDeclSyntax) {
        let entity = structure.name.text
        guard let signature = HookSignature(function, in: entity) else { return }
        guard signature.isMet(by: function, in: entity) else {
            report(.wrongHook(function.name.plainText, expected: signature.text), at: function.name)
            return
        }
        if signature.requirer != .entity { requirers.insert(signature.requirer) }
    }
}
#endif
