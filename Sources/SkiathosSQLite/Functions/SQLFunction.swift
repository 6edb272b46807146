import GRDBSQLite

/// Helpers for functions that SQL calls.
enum SQLFunction {
    /// The messages of functions about a value that cannot be computed, or that its column
    /// cannot hold.
    static let failures: Set<String> = [
        IntegerCheck.failure, DecimalArithmetic.failure, RealArithmetic.failure,
        ColumnCheck.failure,
    ]

    /// A function as SQLite calls it: the context of the answer, and the arguments.
    typealias Body =
        @convention(c) (
            OpaquePointer?, Int32, UnsafeMutablePointer<OpaquePointer?>?
        ) -> Void

    /// Registers a deterministic function without side effects on a connection.
    static func register(
        _ name: String, parameters: Int32, on connection: OpaquePointer?, _ body: @escaping Body
    ) -> Int32 {
        sqlite3_create_function_v2(
            connection, name, parameters, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
            nil, body, nil, nil, nil)
    }

    /// Answers with a text.
    static func setText(_ text: String, of context: OpaquePointer?) {
        var text = text
        text.withUTF8 { setText($0, of: context) }
    }

    /// Answers with a text given as UTF-8.
    static func setText(_ text: UnsafeBufferPointer<UInt8>, of context: OpaquePointer?) {
        text.withMemoryRebound(to: CChar.self) { text in
            guard let start = text.baseAddress else {
                sqlite3_result_text64(context, "", 0, SQLiteFunctions.copying, UInt8(SQLITE_UTF8))
                return
            }
            sqlite3_result_text64(
                context, start, UInt64(text.count), SQLiteFunctions.copying, UInt8(SQLITE_UTF8))
        }
    }

    /// The text of an argument, or `nil` for no value.
    static func text(_ value: OpaquePointer?) -> String? {
        sqlite3_value_text(value).map { start in
            let count = Int(sqlite3_value_bytes(value))
            return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        }
    }
}
