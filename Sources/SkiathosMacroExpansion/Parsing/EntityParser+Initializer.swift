#if Macros
import SwiftSyntax

extension EntityParser {
    /// Notes what an initialiser of the struct can be called with.
    mutating func parseInitializer(
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
}
#endif
