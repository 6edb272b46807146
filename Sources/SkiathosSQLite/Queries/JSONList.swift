import SkiathosStore

/// Writes a long list of values as one JSON text.
enum JSONList {
    /// The list in the form that ``ListRenderer`` reads back for a storage class.
    ///
    /// Values of another kind than the column's equal none of its values, and are left out.
    static func text(of values: [StoreValue], storage: StorageClass) throws -> String {
        var text = "["
        text.reserveCapacity(values.count * 12)
        for value in values {
            guard let element = try element(value, storage) else { continue }
            if text.utf8.count > 1 { text += "," }
            text += element
        }
        return text + "]"
    }

    private static func element(_ value: StoreValue, _ storage: StorageClass) throws -> String? {
        switch (value, storage) {
        case (.integer(let value), .integer): String(value)
        case (.integer(let value), .real): bitPattern(Double(value))
        case (.real(let value), .real): bitPattern(value)
        case (.real(let value), .integer): Int64(exactly: value).map { String($0) }
        case (.text(let value), .text), (.text(let value), .decimal): try quoted(value)
        case (.blob(let value), .blob): "\"\(ListFunctions.hexadecimal(value))\""
        default: nil
        }
    }

    private static func bitPattern(_ value: Double) -> String {
        // The two zeros are equal to each other.
        String(Int64(bitPattern: (value == 0 ? 0 : value).bitPattern))
    }

    private static func quoted(_ value: String) throws -> String {
        var text = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\0":
                throw StoreError(
                    .invalidValue,
                    "A text in a list of a condition contains the NUL character U+0000, which no stored text contains. Remove it."
                )
            case _ where scalar.value < 0x20:
                text += "\\u00" + (scalar.value < 0x10 ? "0" : "") + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
