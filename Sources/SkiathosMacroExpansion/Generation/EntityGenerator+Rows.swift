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
        let body = entity.isFaulty ? faultyBody : rowBody.indented()
        return "\(deprecation)\(free)init(row: Skiathos.RowReader) throws {\n\(body)\n}"
    }

    /// Reads the columns of a row, and makes the value of them at once where it has an initialiser for
    /// that.
    ///
    /// Otherwise the value has the defaults of its properties first, which are replaced one by one.
    private var rowBody: String {
        let values =
            [("id", "row.value(\(idCoding), at: 0)")]
            + columns.map { ($1.property, "row.value(\(coding(of: $1)), at: \($0))") }
        let models = entity.initializers
        guard models.areMemberwiseForCertain, !columns.isEmpty else {
            return values.map { "self.\($0) = try \($1)" }.joined(separator: "\n")
        }
        // Each in a statement of its own, which the compiler checks sooner than one of many parts.
        let lines = values.enumerated().map { "let value\($0) = try \($1.1)" }
        var arguments = values.enumerated().map { "\($1.0): value\($0)" }
        let id = arguments.removeFirst()
        arguments.insert(id, at: publicInitializer == nil ? models.columnsBeforeID : 0)
        let list = arguments.joined(separator: ",\n").indented()
        return (lines + ["self.init(\n\(list)\n)"]).joined(separator: "\n")
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
