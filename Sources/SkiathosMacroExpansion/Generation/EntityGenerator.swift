#if Macros
import SwiftSyntax
import SwiftSyntaxBuilder

/// Writes the members of an entity, each in a function of its own.
///
/// Names of this package and of the standard library are qualified, and properties are reached
/// through `self`, so that names which users choose do no harm.
struct EntityGenerator {
    let entity: EntityModel
    /// The name of the struct as it is seen from where the code will stand.
    let typeName: String

    /// Static properties that are generated, whose names users cannot have.
    static let staticNames: Set<String> = ["columns", "makeColumns", "schema"]

    init(_ entity: EntityModel, typeName: String) {
        self.entity = entity
        self.typeName = typeName
    }

    /// The members that go into the struct itself.
    func members() -> [DeclSyntax] {
        let sources = [idProperty, emptyInitializer, publicInitializer, columnTypes]
            .compactMap { $0 }
        return sources.map { DeclSyntax(stringLiteral: $0) }
    }

    /// The extension with the conformance.
    func conformance(isDeclared: Bool) throws -> ExtensionDeclSyntax {
        let parts = [
            languageCheck, rawIDAlias, idAlias, columnsStruct, columnsProperty, columnsFunction,
            schemaProperty, columnLookup, idInitializer, rowInitializer, bindFunction,
            changesFunction,
        ]
        let body = parts.compactMap { $0 }.joined(separator: "\n\n").indented()
        let clause = isDeclared ? "" : ": \(Self.isolation)Skiathos.Entity"
        return try ExtensionDeclSyntax(
            "extension \(raw: typeName)\(raw: clause) {\n\(raw: body)\n}")
    }

    var access: String { entity.access.prefix }

    /// The access level of a generated member and that it belongs to no actor, whatever the struct
    /// and the module of the user belong to: the store calls it from its own threads.
    var free: String { "\(access)nonisolated " }

    /// The same for the conformance, which compilers before 6.2 do not know to belong anywhere.
    static var isolation: String {
        #if compiler(>=6.2)
        "nonisolated "
        #else
        ""
        #endif
    }

    /// Refuses the Swift 5 mode, in which objects may leave their writes.
    private var languageCheck: String {
        """
        #if swift(<6)
        #error("@Entity expects the Swift 6 language mode, in which the compiler keeps objects in their writes; found an older one. Set the language mode of the target to 6.")
        #endif
        """
    }

    /// What stands before a function that touches every column, so that the compiler does not warn
    /// of deprecated ones where the user has not written anything.
    var deprecation: String {
        columns.contains { !$1.deprecations.isEmpty } ? "@available(*, deprecated)\n" : ""
    }

    var idType: String { "Skiathos.EntityID<\(typeName)>" }

    /// The columns whose types are known; all of them unless problems were reported.
    var columns: [(position: Int, column: ColumnModel)] {
        entity.columns.filter(\.isUnderstood).enumerated().map { ($0 + 1, $1) }
    }

    /// The type of a column as the extension can name it.
    func type(of column: ColumnModel) -> String {
        entity.isNested && column.access > .private
            ? "ColumnTypes.\(column.property)" : column.type.replacingSelf(with: typeName)
    }

    /// The expression for how a column is stored.
    func coding(of column: ColumnModel) -> String { "Skiathos.Coding.of(\(type(of: column)).self)" }

    /// The expression for how the ID is stored.
    var idCoding: String { "Skiathos.Coding.of(\(idType).self)" }
}

extension String {
    /// The lines, each four spaces further to the right.
    func indented() -> String {
        split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
    }

    /// A string literal with this text.
    var literal: String { StringLiteralExprSyntax(content: self).description }
}

extension TypeSyntax {
    /// The type with `Self` written out, which means something else in the struct of columns.
    func replacingSelf(with name: String) -> String {
        SelfRewriter(name).rewrite(self).trimmedDescription
    }
}

private final class SelfRewriter: SyntaxRewriter {
    private let name: String

    init(_ name: String) {
        self.name = name
        super.init()
    }

    override func visit(_ node: IdentifierTypeSyntax) -> TypeSyntax {
        guard node.name.tokenKind == .keyword(.Self) else { return super.visit(node) }
        return TypeSyntax(stringLiteral: name)
    }
}
#endif
