#if Macros
import SwiftParser
import SwiftSyntax

/// The attributes of a property, sorted by what they mean for its column.
struct ColumnAttributes {
    var unique: [AttributeSyntax] = []
    var indexed: [AttributeSyntax] = []
    var searchable: [AttributeSyntax] = []
    var renamed: [AttributeSyntax] = []
    var transient: [AttributeSyntax] = []
    var references: [AttributeSyntax] = []
    /// Property wrappers, macros and whatever else may take the place of the stored value.
    var unknown: [AttributeSyntax] = []
    /// The attributes that deprecate the property, each with a space after it.
    var deprecations = ""

    init(_ list: AttributeListSyntax) {
        for attribute in list.flattened {
            switch attribute.plainName {
            case "Unique": unique.append(attribute)
            case "Indexed": indexed.append(attribute)
            case "Searchable": searchable.append(attribute)
            case "Renamed": renamed.append(attribute)
            case "Transient": transient.append(attribute)
            case "References": references.append(attribute)
            case "available" where attribute.isDeprecation:
                deprecations += attribute.trimmedDescription + " "
            // The compiler's own attributes begin with a small letter or an underscore.
            case let name where name.first?.isUppercase == true: unknown.append(attribute)
            default: break
            }
        }
    }

    /// The attributes that have a meaning for columns alone.
    var forColumns: [AttributeSyntax] { unique + indexed + searchable + renamed + references }
    /// All attributes of this package.
    var own: [AttributeSyntax] { forColumns + transient }
}

extension AttributeListSyntax {
    /// The attributes, with those inside `#if`.
    var flattened: [AttributeSyntax] {
        flatMap { element -> [AttributeSyntax] in
            switch element {
            case .attribute(let attribute): [attribute]
            case .ifConfigDecl(let conditional):
                conditional.clauses.flatMap { clause -> [AttributeSyntax] in
                    if case .attributes(let list)? = clause.elements { list.flattened } else { [] }
                }
            }
        }
    }
}

extension AttributeSyntax {
    /// The name without the module before it.
    var plainName: String {
        if let member = attributeName.as(MemberTypeSyntax.self) { return member.name.text }
        return attributeName.as(IdentifierTypeSyntax.self)?.name.text
            ?? attributeName.trimmedDescription
    }

    /// Whether it is `@available(*, deprecated)` or the like.
    fileprivate var isDeprecation: Bool {
        tokens(viewMode: .sourceAccurate).contains { $0.text == "deprecated" }
    }

    /// The arguments in parentheses.
    var labeledArguments: LabeledExprListSyntax {
        if case .argumentList(let list)? = arguments { list } else { [] }
    }
}

extension ExprSyntax {
    /// The text of a string literal without interpolations.
    var plainString: String? { self.as(StringLiteralExprSyntax.self)?.representedLiteralValue }
}
#endif
