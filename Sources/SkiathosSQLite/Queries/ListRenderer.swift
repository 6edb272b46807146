import SkiathosStore

/// Writes "is one of these" as SQL.
struct ListRenderer {
    /// The SQL expression that is looked for.
    let expression: SQLText
    /// How its values are kept.
    let storage: StorageClass

    /// The most values that are bound one by one.
    ///
    /// Longer lists are bound as one JSON text, since the number of parameters is limited.
    static let longestPlainList = 500

    /// Appends the condition.
    func append(_ values: [StoreValue], to text: inout SQLText) throws {
        let present = values.filter { $0 != .null }
        let mayBeNull = present.count < values.count
        switch (present.isEmpty, mayBeNull) {
        case (true, false): text.append("FALSE")
        case (true, true):
            text.append("(")
            text.append(expression)
            text.append(" IS NULL)")
        case (false, let mayBeNull):
            text.append("(")
            text.append(expression)
            text.append(" IN (")
            if present.count <= Self.longestPlainList {
                appendPlain(present, to: &text)
            } else {
                try appendJSON(present, to: &text)
            }
            guard mayBeNull else { return text.append("))") }
            text.append(") OR ")
            text.append(expression)
            text.append(" IS NULL)")
        }
    }

    /// Fills up to the next power of two by repeating the last value, so that lists of many
    /// lengths share a few compiled statements.
    private func appendPlain(_ values: [StoreValue], to text: inout SQLText) {
        var count = 1
        while count < values.count { count *= 2 }
        for position in 0..<count {
            if position > 0 { text.append(", ") }
            text.append(values[min(position, values.count - 1)])
        }
    }

    private func appendJSON(_ values: [StoreValue], to text: inout SQLText) throws {
        let value =
            switch storage {
            case .integer, .text, .decimal: "value"
            case .real: "\(ListFunctions.real)(value)"
            case .blob: "\(ListFunctions.bytes)(value)"
            }
        text.append("SELECT \(value) FROM json_each(")
        text.append(.text(try JSONList.text(of: values, storage: storage)))
        text.append(")")
    }
}
