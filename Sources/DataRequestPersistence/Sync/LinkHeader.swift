#if RequestCore
import DataRequestCore
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The links of an answer's head (RFC 8288).
enum LinkHeader {
    /// The address of the next page, if it is named.
    static func next(in response: IncomingResponse) -> URL? {
        for value in response.headers[values: .link] {
            for link in links(value) where isNext(link.parameters) {
                return URL(string: link.target, relativeTo: response.url)?.absoluteURL
            }
        }
        return nil
    }

    /// Targets and what follows them, up to the comma that is in neither brackets nor quotes.
    static func links(_ value: String) -> [(target: String, parameters: [String])] {
        var links: [(target: String, parameters: [String])] = []
        for part in split(value, at: ",") {
            let pieces = split(part, at: ";")
            guard let first = pieces.first, first.hasPrefix("<"), first.hasSuffix(">") else {
                continue
            }
            links.append((String(first.dropFirst().dropLast()), Array(pieces.dropFirst())))
        }
        return links
    }

    private static func isNext(_ parameters: [String]) -> Bool {
        // Only the first `rel` counts (RFC 8288, 3.3).
        for parameter in parameters {
            let parts = parameter.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, trimmed(parts[0]).lowercased() == "rel" else { continue }
            let value = trimmed(parts[1]).trimmingQuotes.lowercased()
            return value.split(separator: " ").contains("next")
        }
        return false
    }

    private static func split(_ text: String, at separator: Character) -> [String] {
        var parts: [String] = []
        var part = ""
        var (isQuoted, isInBrackets, isEscaped) = (false, false, false)
        for character in text {
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                if character == "\\" { isEscaped = true }
                if character == "\"" { isQuoted = false }
            } else if isInBrackets {
                if character == ">" { isInBrackets = false }
            } else if character == "\"" {
                isQuoted = true
            } else if character == "<" {
                isInBrackets = true
            } else if character == separator {
                parts.append(trimmed(part[...]))
                part = ""
                continue
            }
            part.append(character)
        }
        return parts + [trimmed(part[...])]
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return String(text)
    }
}

extension String {
    fileprivate var trimmingQuotes: String {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? String(dropFirst().dropLast()) : self
    }
}

extension HTTPField.Name {
    static var link: HTTPField.Name { name("Link") }
    static var totalCount: HTTPField.Name { name("X-Total-Count") }

    private static func name(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is no name.") }
        return name
    }
}
#endif
