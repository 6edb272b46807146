#if Macros
/// Members of the struct itself.
extension EntityGenerator {
    /// `var id: EntityID<User> = .unassigned`, unless there is one.
    var idProperty: String? {
        entity.declaresID ? nil : "\(access)var id: \(idType) = .unassigned"
    }

    /// The initialiser that the compiler adds to a struct without any, and not to one with some.
    ///
    /// It also keeps the compiler from adding one that `init(id:)` would collide with.
    var emptyInitializer: String? {
        let models = entity.initializers
        let isNeeded = models.areDeclared ? !models.includeEmpty : models.wouldIncludeID
        guard isNeeded, !entity.isFaulty else { return nil }
        return "nonisolated init() {\n}"
    }

    /// The initialiser with a parameter for each property, which the compiler makes for the struct's own
    /// module only.
    ///
    /// It stands where all properties can be seen as far as the struct, so that nothing is left out of it.
    var publicInitializer: String? {
        let models = entity.initializers
        guard entity.access > .internal, !entity.isFaulty, !models.areDeclared,
            !models.wouldIncludeTransient, !columns.isEmpty
        else { return nil }
        var parameters = ["id: \(idType) = .unassigned"]
        var lines = ["self.id = id"]
        for (_, column) in columns {
            guard column.access >= entity.access, column.deprecations.isEmpty,
                let value = column.publicDefault
            else { return nil }
            parameters.append(
                "\(column.property): \(column.type.replacingSelf(with: typeName)) = \(value)")
            lines.append("self.\(column.property) = \(column.property)")
        }
        return
            "\(free)init(\n\(parameters.joined(separator: ",\n").indented())\n) {\n\(lines.joined(separator: "\n").indented())\n}"
    }

    /// The types of the columns of a nested struct.
    ///
    /// An extension of it stands at the level of the
    /// file, and does not see the types beside the struct under the names that are used here.
    var columnTypes: String? {
        let visible = columns.filter { $1.access > .private }
        guard entity.isNested, !visible.isEmpty else { return nil }
        let aliases = visible.map { _, column in
            let type = column.type.replacingSelf(with: typeName)
            return "\(self.access(of: column))typealias \(column.property) = \(type)"
        }
        let widest = visible.map { min($1.access, entity.access) }.max() ?? .internal
        return
            "\(widest.prefix)enum ColumnTypes {\n\(aliases.joined(separator: "\n").indented())\n}"
    }

    /// A column is seen as far as both its property and the struct of columns.
    func access(of column: ColumnModel) -> String { min(column.access, entity.access).prefix }
}
#endif
