#if Macros
import SwiftDiagnostics
import SwiftSyntax

extension EntityParser {
    /// Reads one property and adds its column, if it has one.
    mutating func parseProperty(
        _ property: PropertySyntax, of structure: StructDeclSyntax, into members: inout MemberModels
    ) {
        guard !property.binding.isComputed else {
            if property.binding.name?.plainText == "id" {
                reportID(Problem.computedID, property, structure)
            }
            checkUnstored(property.attributes, kind: "computed")
            if let relation = parseRelation(property) { members.relations.append(relation) }
            return
        }
        guard let name = property.binding.name else {
            if !property.isTransient { report(.tuplePattern, at: property.binding.pattern) }
            return
        }
        // Constants with a value are no parameters of the initialiser that the compiler adds.
        if name.plainText != "id", !property.isConstant {
            members.initializers.wouldIncludeID = false
        }
        if name.plainText == "id" {
            members.declaresID = true
            members.initializers.columnsBeforeID = members.columns.count
            checkID(property, structure)
        } else if property.isTransient {
            if !property.isConstant { members.initializers.wouldIncludeTransient = true }
            checkTransient(property, name)
        } else {
            members.columns.append(parseColumn(property, name))
        }
    }

    private mutating func checkTransient(_ property: PropertySyntax, _ name: TokenSyntax) {
        for attribute in property.attributes.forColumns {
            report(
                .transientColumn(attribute.plainName, property: name.plainText), at: attribute,
                fixIts: FixIt.removing(attribute))
        }
        for attribute in property.attributes.transient.dropFirst() {
            reportDuplicate(attribute)
        }
        if !property.hasDefault { reportMissingDefault(property, name) }
    }
}
#endif
