import GRDBSQLite

/// Lower case by Unicode's mapping, for conditions that ignore case.
enum TextFolding {
    /// The name of the SQL function.
    static let function = "skiathos_fold"

    /// The result of the SQL function for a text.
    static func fold(_ text: String) -> String { text.lowercased() }

    /// Registers the function on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        SQLFunction.register(function, parameters: 1, on: connection) { context, _, values in
            TextFolding.answer(context, values?[0])
        }
    }

    private static func answer(_ context: OpaquePointer?, _ value: OpaquePointer?) {
        guard let start = sqlite3_value_text(value) else {
            // Either no value, or no memory to convert one.
            if sqlite3_value_type(value) == SQLITE_NULL {
                sqlite3_result_null(context)
            } else {
                sqlite3_result_error_nomem(context)
            }
            return
        }
        let text = UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
        guard text.allSatisfy({ $0 < 0x80 }) else {
            SQLFunction.setText(fold(String(decoding: text, as: UTF8.self)), of: context)
            return
        }
        // Most text is ASCII, and needs no String.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, text.count)) { folded in
            for (position, byte) in text.enumerated() {
                let isUpper = byte &- UInt8(ascii: "A") < 26
                folded[position] = isUpper ? byte | 0x20 : byte
            }
            SQLFunction.setText(UnsafeBufferPointer(rebasing: folded[..<text.count]), of: context)
        }
    }
}
