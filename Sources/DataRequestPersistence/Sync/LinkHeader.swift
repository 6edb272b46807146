#if RequestCore
import DataRequestCore
import HTTPTypes
import SkiathosPlatformFoundation

/// The links of an answer's head (RFC 8288).
enum LinkHeader {
    /// The address of the next page, if one is named.
    ///
    /// - Throws: `invalidPage` if the link is not a valid address.
    static func next(in response: IncomingResponse) throws -> URL? {
        for value in response.headers[values: .link] {
            for link in links(value) where isNext(link.parameters) {
                guard !link.target.isEmpty,
                    let url = URL(string: link.target, relativeTo: response.url)?.absoluteURL
                else { throw PageAddress.refusal() }
                return url
            }
        }
        return nil
    }

    /// Targets and what follows them, up to the comma that is in neither brackets nor quotes.
    static func links(_ value: String) -> [(target: String, parameters: [String])] {
        var links: [(target: String, parameters: [String])] = []
        for part in split(value, at: ",") {
            let pieces = split(part, at: ";")
            guard let first = pieces.first, first.begins(with: "<"), first.ends(with: ">") else {
                continue
            }
            links.append((first.dropping(first: 1, last: 1), Array(pieces.dropFirst())))
        }
        return links
    }

    private static func isNext(_ parameters: [String]) -> Bool {
        // Only the first `rel` counts (RFC 8288, 3.3).
        for parameter in parameters {
            guard let sign = parameter.utf8.firstIndex(of: UInt8(ascii: "=")) else { continue }
            guard parameter[..<sign].trimmed.lowercased().equals("rel") else { continue }
            let value = parameter[parameter.utf8.index(after: sign)...].trimmed
            return unquoted(value).lowercased().parts(at: " ").contains { $0.equals("next") }
        }
        return false
    }

    private static func split(_ text: String, at separator: Unicode.Scalar) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        var (isQuoted, isInBrackets, isEscaped) = (false, false, false)
        for byte in text.utf8 {
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                if byte == UInt8(ascii: "\\") { isEscaped = true }
                if byte == UInt8(ascii: "\"") { isQuoted = false }
            } else if isInBrackets {
                if byte == UInt8(ascii: ">") { isInBrackets = false }
            } else if byte == UInt8(ascii: "\"") {
                isQuoted = true
            } else if byte == UInt8(ascii: "<") {
                isInBrackets = true
            } else if byte == UInt8(ascii: separator) {
                parts.append(String(decoding: part, as: UTF8.self).trimmed)
                part = []
                continue
            }
            part.append(byte)
        }
        return parts + [String(decoding: part, as: UTF8.self).trimmed]
    }

    private static func unquoted(_ text: String) -> String {
        let isQuoted = text.utf8.count >= 2 && text.begins(with: "\"") && text.ends(with: "\"")
        return isQuoted ? text.dropping(first: 1, last: 1) : text
    }
}

extension HTTPField.Name {
    static var link: HTTPField.Name { .literal("Link") }
    static var totalCount: HTTPField.Name { .literal("X-Total-Count") }
}
#endif
