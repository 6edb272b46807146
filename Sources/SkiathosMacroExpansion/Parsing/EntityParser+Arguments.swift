#if Macros
import SwiftSyntax

extension EntityParser {
    /// The table named by `@Entity(table:)`, or `nil` if none is.
    mutating func parseTable() -> String? {
        guard let argument = argument("table"), !argument.is(NilLiteralExprSyntax.self) else {
            return nil
        }
        guard let table = argument.plainString else {
            report(.tableNotLiteral, at: argument)
            return nil
        }
        guard TableName.isAllowed(table) else {
            report(.tableName(table), at: argument)
            return nil
        }
        return table
    }

    /// The names that the table had before, from `@Entity(renamedFrom:)`.
    mutating func parseFormerTables() -> [String] {
        let arguments = attribute.labeledArguments
        // Those after the first name of a list have no label, as nothing else has none.
        let former = arguments.filter { $0.label == nil || $0.label?.text == "renamedFrom" }
        return former.compactMap { argument in
            guard let table = argument.expression.plainString else {
                report(.formerNameNotLiteral("Entity(renamedFrom:)"), at: argument.expression)
                return nil
            }
            guard TableName.isAllowed(table) else {
                report(.tableName(table), at: argument.expression)
                return nil
            }
            return table
        }
    }

    /// The type named by `@Entity(id:)` as it is written, or `nil` if it is the default.
    func parseRawIDText() -> String? {
        guard let base = argument("id")?.as(MemberAccessExprSyntax.self)?.base else { return nil }
        let type = base.trimmedDescription
        return type == "Int64" || type == "Swift.Int64" ? nil : type
    }

    /// The type named by `@Entity(id:)`, or `nil` if it is the default.
    mutating func parseRawID() -> String? {
        guard let argument = argument("id") else { return nil }
        guard let access = argument.as(MemberAccessExprSyntax.self),
            access.declName.baseName.tokenKind == .keyword(.self), access.base != nil
        else {
            report(.idTypeNotLiteral, at: argument)
            return nil
        }
        return parseRawIDText()
    }

    /// The argument of `@Entity` with a label.
    func argument(_ label: String) -> ExprSyntax? {
        attribute.labeledArguments.first { $0.label?.text == label }?.expression
    }
}

/// The rules for names of tables, which the store checks again when it is opened.
enum TableName {
    /// The name of the type with its leading capitals in lower case: `User` becomes `user`, and
    /// `URLEntry` becomes `urlEntry`.
    static func standard(for type: String) -> String {
        let capitals = type.prefix { $0.isUppercase }
        let rest = type.dropFirst(capitals.count)
        // The last capital begins the next word, unless it is the only one or nothing follows.
        let begins = capitals.count > 1 && rest.first?.isLetter == true
        let lowered = begins ? capitals.dropLast() : capitals
        return lowered.lowercased() + type.dropFirst(lowered.count)
    }

    /// Whether a table may have this name.
    static func isAllowed(_ name: String) -> Bool {
        let lowered = name.lowercased()
        return !name.isEmpty && !name.utf8.contains(0) && !lowered.hasPrefix("sqlite_")
            && !lowered.hasPrefix("skiathos_")
    }
}
#endif
