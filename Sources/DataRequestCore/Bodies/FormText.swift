#if RequestCore
import SkiathosPlatformFoundation

/// The text form of `application/x-www-form-urlencoded`, by the URL standard of the WHATWG.
enum FormText {
    /// The items joined by `&`; a value that is nil is an empty one.
    static func encode(_ items: [QueryItem]) -> String {
        items.map { "\(escaped($0.name))=\(escaped($0.value ?? ""))" }.joined(separator: "&")
    }

    /// The items of a text; bytes that are not UTF-8 become replacement characters.
    static func decode(_ bytes: some Collection<UInt8>) -> [QueryItem] {
        bytes.split(separator: UInt8(ascii: "&")).map { pair in
            guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else {
                return QueryItem(unescaped(pair), "")
            }
            return QueryItem(
                unescaped(pair[..<sign]), unescaped(pair[pair.index(after: sign)...]))
        }
    }

    private static func escaped(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "*"), UInt8(ascii: "-"),
                UInt8(ascii: "."), UInt8(ascii: "_"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            case UInt8(ascii: " "): result += "+"
            default: result += percentEncoded(byte)
            }
        }
        return result
    }

    private static func percentEncoded(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
    }

    private static func unescaped(_ bytes: some Collection<UInt8>) -> String {
        var result: [UInt8] = []
        var rest = Array(bytes)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let value = hexadecimal(rest.prefix(2)) {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt8? {
        let isHexadecimal = digits.allSatisfy { "0123456789abcdefABCDEF".utf8.contains($0) }
        guard digits.count == 2, isHexadecimal else { return nil }
        return UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
#endif
