import SkiathosStore

/// Fields of JSON objects as SQL (sqlite.org/json1.html).
extension RowRenderer {
    /// Appends what stands under keys in each other.
    mutating func appendField(
        _ names: [String], _ form: StoreFieldForm, of arguments: [StoreExpression]
    ) throws {
        let path = StoreValue.quoted(try JSONPath.text(of: names, in: scope.entitySQL.entity))
        switch form {
        case .integer, .text:
            text.append("json_extract(")
            try append(arguments, separator: ", ")
            text.append(", \(path))")
        case .real:
            // SQLite may miss the nearest number by the last bit, so it hands over the digits.
            text.append("\(JSONNumber.function)(")
            try append(arguments, separator: ", ")
            text.append(" -> \(path))")
        case .json:
            text.append("nullif(")
            try append(arguments, separator: ", ")
            text.append(" -> \(path), 'null')")
        }
    }
}

/// The way to a value in a JSON text, as SQLite writes it.
enum JSONPath {
    /// The path along keys.
    ///
    /// - Throws: ``StoreError`` with code `invalidRequest` for a key that a path cannot name.
    static func text(of names: [String], in entity: EntitySchema) throws -> String {
        var path = "$"
        for name in names {
            let isPlain = name.unicodeScalars.allSatisfy {
                $0 != "\"" && $0 != "\\" && $0.value >= 0x20
            }
            guard isPlain else {
                throw StoreError(
                    .invalidRequest,
                    "A query of \(entity.typeName) asks for a field whose key in JSON holds a quotation mark, a backslash or a control character, which SQLite's paths cannot name. Give it another key.",
                    entity: entity.table)
            }
            path += ".\"\(name)\""
        }
        return path
    }
}
