#if Macros
/// The members that read and bind rows.
extension EntityGenerator {
    /// A body that compiles whatever the properties are; see `EntityModel.isFaulty`.
    private var faultyBody: String { "    Swift.fatalError()" }

    /// `init(id:)`, unless the struct declares it.
    var idInitializer: String? {
        guard !entity.initializers.includeID else { return nil }
        let body = entity.isFaulty ? faultyBody : "    self.init()\n    self.id = id"
        return "\(free)init(id: \(idType)) {\n\(body)\n}"
    }

    var rowInitializer: String {
        let id = "self.id = try row.value(\(idCoding), at: 0)"
        let others = columns.map { position, column in
            "self.\(column.property) = try row.value(\(coding(of: column)), at: \(position))"
        }
        let body = entity.isFaulty ? faultyBody : ([id] + others).joined(separator: "\n").indented()
        return "\(deprecation)\(free)init(row: Skiathos.RowReader) throws {\n\(body)\n}"
    }

    var bindFunction: String {
        var lines = [bindCall("id", idCoding)]
        lines += columns.map { bindCall($1.property, coding(of: $1)) }
        // A switch with nothing but a default is warned about.
        if lines.count > 1 {
            let labels = (0..<lines.count - 1).map { "case \($0)" } + ["default"]
            let cases = zip(labels, lines).map { "\($0): \($1)" }
            lines = ["switch column {"] + cases + ["}"]
        }
        return """
            \(deprecation)\(free)func bind(
                _ column: Swift.Int, to parameters: Skiathos.ParameterWriter, at position: Swift.Int
            ) throws {
            \(lines.joined(separator: "\n").indented())
            }
            """
    }

    private func bindCall(_ property: String, _ coding: String) -> String {
        "try parameters.bind(self.\(property), \(coding), at: position)"
    }

    var changesFunction: String {
        let inserts = columns.map { position, column in
            let property = column.property
            return """
                changed.insert(\(position), if: !\(coding(of: column)).areIdentical(\
                self.\(property), other.\(property)))
                """
        }
        let all = ["var changed = Skiathos.ColumnSet()"] + inserts + ["return changed"]
        let lines = inserts.isEmpty ? ["Skiathos.ColumnSet()"] : all
        return """
            \(deprecation)\(free)func changedColumns(from other: \(typeName)) -> Skiathos.ColumnSet {
            \(lines.joined(separator: "\n").indented())
            }
            """
    }
}
#endif
