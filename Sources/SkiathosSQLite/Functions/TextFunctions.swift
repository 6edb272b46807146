import GRDBSQLite

/// Functions of texts as Swift defines them.
enum TextFunctions {
    /// The name of the SQL function for the upper-case mapping.
    static let uppercased = "skiathos_upper"
    /// The name of the SQL function that leaves out white space around a text.
    static let trimmed = "skiathos_trim"
    /// The name of the SQL function that counts characters.
    static let characterCount = "skiathos_count"
    /// The name of the SQL function that compares a beginning.
    static let hasPrefix = "skiathos_has_prefix"
    /// The name of the SQL function that compares an end.
    static let hasSuffix = "skiathos_has_suffix"

    /// Registers the functions on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        let codes = [
            SQLFunction.register(uppercased, parameters: 1, on: connection) { context, _, values in
                TextFunctions.answer(context, values?[0]) { $0.uppercased() }
            },
            SQLFunction.register(trimmed, parameters: 1, on: connection) { context, _, values in
                TextFunctions.answer(context, values?[0], TextFunctions.trim)
            },
            SQLFunction.register(characterCount, parameters: 1, on: connection) {
                context, _, values in
                guard let text = SQLFunction.text(values?[0]) else {
                    return sqlite3_result_null(context)
                }
                sqlite3_result_int64(context, Int64(text.count))
            },
            // UTF-8 is such that a text's bytes begin with those of another one just if its scalars do.
            SQLFunction.register(hasPrefix, parameters: 2, on: connection) { context, _, values in
                TextFunctions.answer(context, values) { $0.starts(with: $1) }
            },
            SQLFunction.register(hasSuffix, parameters: 2, on: connection) { context, _, values in
                TextFunctions.answer(context, values) { $0.reversed().starts(with: $1.reversed()) }
            },
        ]
        return codes.first { $0 != SQLITE_OK } ?? SQLITE_OK
    }

    private static func answer(
        _ context: OpaquePointer?, _ value: OpaquePointer?, _ change: (String) -> String
    ) {
        guard let text = SQLFunction.text(value) else { return sqlite3_result_null(context) }
        SQLFunction.setText(change(text), of: context)
    }

    private static func answer(
        _ context: OpaquePointer?, _ values: UnsafeMutablePointer<OpaquePointer?>?,
        _ compare: (String.UTF8View, String.UTF8View) -> Bool
    ) {
        guard let text = SQLFunction.text(values?[0]), let part = SQLFunction.text(values?[1])
        else { return sqlite3_result_null(context) }
        sqlite3_result_int(context, compare(text.utf8, part.utf8) ? 1 : 0)
    }

    private static func trim(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }
}
