#if Macros
/// The description of the columns.
extension EntityGenerator {
    /// `typealias RawID = UUID`, unless keys have the default type.
    var rawIDAlias: String? { entity.rawID.map { "\(access)typealias RawID = \($0)" } }

    /// The alias of the ID's type, `typealias ID = EntityID<User>`.
    ///
    /// The compiler could infer it, but not while it is asked for
    /// the type of a property that the struct declares as `User.ID`.
    var idAlias: String { "\(access)typealias ID = \(idType)" }

    /// One constant for each column, and one for each relationship.
    var columnsStruct: String {
        let id = "\(access)let id = Skiathos.Column<\(typeName), \(idType)>(0, \(idCoding))"
        let others = columns.map { position, column in
            """
            \(column.deprecations)\(access(of: column))let \(column.property) = \
            Skiathos.Column<\(typeName), \(type(of: column))>(\(position), \(coding(of: column)))
            """
        }
        // Their types are left to the compiler, which sees names that this extension cannot.
        let relations = entity.relations.map { relation in
            """
            \(min(relation.access, entity.access).prefix)let \(relation.property) = \
            Skiathos.\(relation.type)(\\\(typeName).\(relation.property))
            """
        }
        let body = ([id] + others + relations).joined(separator: "\n").indented()
        return "\(free)struct Columns: Swift.Sendable {\n\(body)\n}"
    }

    var columnsProperty: String { "\(free)static let columns = Columns()" }

    /// The same columns for a row of their own.
    var columnsFunction: String {
        "\(free)static func makeColumns() -> Columns {\n    .init()\n}"
    }

    /// The table, its columns and its keys.
    var schemaProperty: String {
        var arguments = [
            checkedType, "table: \(entity.table.literal)", "id: \(idCoding)",
            "columns: \(columnSchemas)",
        ]
        let indexed = columns.map(\.column).filter(\.isIndexed).map(\.name.literal)
        if !entity.uniqueKeys.isEmpty {
            let keys = entity.uniqueKeys.map { "[\($0.map(\.literal).joined(separator: ", "))]" }
            arguments.append("unique: [\(keys.joined(separator: ", "))]")
        }
        if !indexed.isEmpty { arguments.append("indexed: [\(indexed.joined(separator: ", "))]") }
        let searchable = columns.map(\.column).filter(\.isSearchable).map(\.name.literal)
        if !searchable.isEmpty {
            arguments.append("searchable: [\(searchable.joined(separator: ", "))]")
        }
        if !entity.formerTables.isEmpty {
            let names = entity.formerTables.map(\.literal).joined(separator: ", ")
            arguments.append("renamedFrom: [\(names)]")
        }
        let list = arguments.joined(separator: ",\n").indented()
        return "\(free)static let schema = Skiathos.EntitySchema(\n\(list))"
    }

    /// The type, after a check of the conformances that its functions ask for.
    ///
    /// They may stand in an extension, which only the compiler sees.
    private var checkedType: String {
        let checks = [(HookSignature.Requirer.hooks, "hooks"), (.observer, "observing")]
        return checks.filter { entity.requirers.contains($0.0) }
            .reduce("\(typeName).self") { "Skiathos.Declared.\($1.1)(\($0))" }
    }

    private var columnSchemas: String {
        guard !columns.isEmpty else { return "[]" }
        let schemas = columns.map { _, column in
            let rule = column.deleteRule.map { ", onDelete: \($0)" } ?? ""
            let former = column.formerNames.map(\.literal).joined(separator: ", ")
            let renamed = former.isEmpty ? "" : ", renamedFrom: [\(former)]"
            return """
                Skiathos.ColumnSchema(\(column.name.literal), \(coding(of: column))\(rule)\(renamed))
                """
        }
        return "[\n\(schemas.joined(separator: ",\n").indented())\n]"
    }

    /// The position of a column by the key path of its property.
    var columnLookup: String {
        let cases = columns.map { "case \\\(typeName).\($1.property): \($0)" }
        let body = ["case \\\(typeName).id: 0"] + cases + ["default: nil"]
        if entity.isFaulty { return faultyColumnLookup }
        return """
            \(deprecation)\(free)static func column(at keyPath: Swift.PartialKeyPath<\(typeName)>) -> Swift.Int? {
                switch keyPath {
            \(body.joined(separator: "\n").indented())
                }
            }
            """
    }

    /// The same where a column may have a name that leads nowhere; see `EntityModel.isFaulty`.
    private var faultyColumnLookup: String {
        """
        \(free)static func column(at keyPath: Swift.PartialKeyPath<\(typeName)>) -> Swift.Int? {
            nil
        }
        """
    }
}
#endif
