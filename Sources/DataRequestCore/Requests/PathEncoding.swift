#if RequestCore
import SkiathosPlatformFoundation

/// Percent-encoding of paths and queries, and the check that a path stays where it belongs.
package enum PathEncoding {
    /// A path as it is appended to a base URL: empty, or beginning with a slash.
    ///
    /// `a/./b/../c` becomes `/a/c`. A path that would be refused after a server has decoded it
    /// once or several times is refused, not repaired. So `tracks%3Fgenre=Jazz` and `a%2F%2Fb` are
    /// refused; `what%3F` and `a%2Fb` are not, as `what?` and `a/b` are not.
    package static func encoded(_ path: String) throws -> String {
        try check(path)
        var kept: [String] = []
        var segments = path.parts(at: "/")
        if segments.first?.isEmpty == true { segments.removeFirst() }
        var endsInSlash = false
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            endsInSlash = isLast && (segment.isEmpty || segment == "." || segment == "..")
            switch segment {
            case "" where isLast: break
            case "": throw refusal("has an empty segment")
            case ".": break
            case "..":
                guard kept.popLast() != nil else { throw refusal("leaves the base URL by `..`") }
            default: kept.append(segment)
            }
        }
        guard !kept.isEmpty else { return endsInSlash ? "/" : "" }
        var result = ""
        for segment in kept {
            result += "/"
            append(segment.utf8, to: &result, keeping: isPathByte)
        }
        return endsInSlash ? result + "/" : result
    }

    /// A query of items, with everything encoded that is not unreserved (RFC 3986).
    static func encoded(_ items: [QueryItem]) -> String {
        var result = ""
        for item in items {
            if !result.isEmpty { result += "&" }
            append(item.name.utf8, to: &result, keeping: isUnreserved)
            guard let value = item.value else { continue }
            result += "="
            append(value.utf8, to: &result, keeping: isUnreserved)
        }
        return result
    }

    /// Whether a path has a segment `.` or `..`.
    static func hasDotSegments(_ path: some StringProtocol) -> Bool {
        guard path.utf8.contains(UInt8(ascii: ".")) else { return false }
        return path.parts(at: "/").contains { $0.equals(".") || $0.equals("..") }
    }

    private static func check(_ path: String) throws {
        if path.begins(with: "//") { throw refusal("begins with `//`, which names a host") }
        if path.has(text: "://") {
            throw refusal("is an absolute address; use DataRequest(external:) for other hosts")
        }
        guard !hasForbiddenByte(path.utf8) else {
            throw refusal("has a backslash or a control character")
        }
        guard !hasQuery(path) else { throw queryRefusal() }
        guard path.utf8.contains(UInt8(ascii: "%")) else { return }
        // A slash at the beginning separates the path from the base URL; a decoded one does not.
        var decoded = Array(path.begins(with: "/") ? path.utf8.dropFirst() : path.utf8[...])
        // Each round shortens the text, so this ends.
        while let next = percentDecoded(decoded) {
            decoded = next
            let text = String(decoding: decoded, as: UTF8.self)
            guard !hasForbiddenByte(decoded), !hasDotSegments(text) else {
                throw refusal(
                    "has percent-encoded dots, backslashes or control characters, which a server "
                        + "may decode; paths are given unencoded")
            }
            guard !hasEmptySegment(text) else {
                throw refusal(
                    "has percent-encoded slashes, which make an empty segment, a host or an "
                        + "absolute address when a server decodes them; paths are given unencoded")
            }
            guard !hasQuery(text) else { throw queryRefusal() }
        }
    }

    /// Whether a segment before the last one is empty, as in `//host`, `a//b` and `http://host`.
    private static func hasEmptySegment(_ path: String) -> Bool {
        path.parts(at: "/").dropLast().contains(where: \.isEmpty)
    }

    /// Whether a question mark is followed by text in the form of a query item.
    private static func hasQuery(_ path: String) -> Bool {
        guard let sign = path.utf8.firstIndex(of: UInt8(ascii: "?")) else { return false }
        return path.utf8[sign...].contains(UInt8(ascii: "="))
    }

    private static func hasForbiddenByte(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.contains { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "\\") }
    }

    /// The percent-decoded text; nil if it is not UTF-8.
    package static func decoded(_ text: String) -> String? {
        String(validating: percentDecoded(Array(text.utf8)) ?? Array(text.utf8), as: UTF8.self)
    }

    /// The bytes after one round of decoding; nil if there was nothing to decode.
    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8]? {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = hexValue(bytes[index + 1]), let low = hexValue(bytes[index + 2])
            {
                result.append(high << 4 | low)
                index += 3
            } else {
                result.append(bytes[index])
                index += 1
            }
        }
        return result.count == bytes.count ? nil : result
    }

    private static func hexValue(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func append(
        _ bytes: some Sequence<UInt8>, to text: inout String, keeping isKept: (UInt8) -> Bool
    ) {
        let digits = Array("0123456789ABCDEF".unicodeScalars)
        for byte in bytes {
            if isKept(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text.unicodeScalars.append("%")
                text.unicodeScalars.append(digits[Int(byte >> 4)])
                text.unicodeScalars.append(digits[Int(byte & 15)])
            }
        }
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "_"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    // Of what a segment may have (RFC 3986, 3.3), all but the semicolon, with which some servers
    // begin parameters.
    private static func isPathByte(_ byte: UInt8) -> Bool {
        isUnreserved(byte) || "!$&'()*+,=:@".utf8.contains(byte)
    }

    private static func queryRefusal() -> DataRequestError {
        DataRequestError(
            .invalidPath,
            "A path has a query behind a `?`, or behind a percent-encoded one, which a server may "
                + "decode. Give its items by `query:`, or by DataRequest(…).query(name, value); in "
                + "a path the sign would be encoded.")
    }

    private static func refusal(_ finding: String) -> DataRequestError {
        DataRequestError(
            .invalidPath,
            "A path \(finding). Give segments joined by `/`, below the base URL, as in tracks/7.")
    }
}
#endif
