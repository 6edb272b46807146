import GRDBSQLite

/// Decodes values in a JSON list that JSON itself cannot hold: exact floating point numbers,
/// and bytes.
enum ListFunctions {
    /// Turns the bit pattern of a floating point number into the number.
    static let real = "skiathos_real"
    /// Turns hexadecimal digits into bytes.
    static let bytes = "skiathos_bytes"

    /// Registers the functions on a connection.
    static func register(on connection: OpaquePointer?) -> Int32 {
        let code = SQLFunction.register(real, parameters: 1, on: connection) { context, _, values in
            let pattern = UInt64(bitPattern: sqlite3_value_int64(values?[0]))
            sqlite3_result_double(context, Double(bitPattern: pattern))
        }
        guard code == SQLITE_OK else { return code }
        return SQLFunction.register(bytes, parameters: 1, on: connection) { context, _, values in
            ListFunctions.answerBytes(context, values?[0])
        }
    }

    /// Lower-case digits, two for each byte.
    static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            for (position, byte) in bytes.enumerated() {
                text[position * 2] = digits[Int(byte >> 4)]
                text[position * 2 + 1] = digits[Int(byte & 15)]
            }
            return bytes.count * 2
        }
    }

    private static func answerBytes(_ context: OpaquePointer?, _ value: OpaquePointer?) {
        guard let digits = sqlite3_value_text(value) else {
            sqlite3_result_null(context)
            return
        }
        let count = Int(sqlite3_value_bytes(value)) / 2
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(1, count)) { bytes in
            for position in 0..<count {
                bytes[position] =
                    nibble(digits[position * 2]) << 4 | nibble(digits[position * 2 + 1])
            }
            sqlite3_result_blob64(
                context, bytes.baseAddress, UInt64(count), SQLiteFunctions.copying)
        }
    }

    private static func nibble(_ digit: UInt8) -> UInt8 {
        digit < UInt8(ascii: "a") ? digit &- UInt8(ascii: "0") : digit &- UInt8(ascii: "a") &+ 10
    }
}
