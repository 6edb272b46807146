import SkiathosStore

/// A statement under construction: its text, and the values of its parameters in their order.
struct SQLText: Equatable {
    /// The text, with a question mark for each parameter.
    var sql: String
    /// The values of the parameters.
    var parameters: [StoreValue]

    /// Starts with a text.
    init(_ sql: String = "", _ parameters: [StoreValue] = []) {
        self.sql = sql
        self.parameters = parameters
    }

    /// Appends text that holds no parameter.
    mutating func append(_ text: String) { sql += text }

    /// Appends a parameter.
    mutating func append(_ value: StoreValue) {
        sql += parameters.count < PlainValue.firstOfMany ? "?" : "\(PlainValue.function)(?)"
        parameters.append(value)
    }

    /// Appends a part with its parameters.
    mutating func append(_ part: SQLText) {
        sql += part.sql
        parameters += part.parameters
    }

    /// Quotes the name of a table, column or index.
    static func quote(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
        let escaped = name.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(escaped.joined(separator: "\"\""))\""
    }
}
