#if RequestCore
import Foundation
import TestSupport

/// Makes documents that have every part of the grammar, the same for the same seed.
struct RandomJSON {
    private var numbers: SeededNumbers

    init(seed: UInt64) { numbers = SeededNumbers(seed: seed) }

    /// A number below a limit.
    mutating func below(_ limit: Int) -> Int {
        Int(truncatingIfNeeded: numbers.next() >> 33) % limit
    }

    private mutating func pick(_ texts: [String]) -> String { texts[below(texts.count)] }

    private mutating func space() -> String { pick(["", "", "", " ", "\n", "\t ", "\r\n"]) }

    mutating func string() -> String {
        let parts = (0..<below(4)).map { _ in
            pick([
                "a", "é", "\\n", "\\\"", "\\\\", "\\u00e9", "\\ud83d\\ude00", "😀", "/", "\\/", ",",
                "]", "}", "{", ":", "日本",
            ])
        }
        return "\"\(parts.joined())\""
    }

    mutating func value(_ depth: Int) -> String {
        switch below(depth > 0 ? 8 : 6) {
        case 0: return pick(["true", "false", "null"])
        case 1: return pick(["0", "-0", "12", "-7.5", "1e3", "0.5E-2", "3E+4", "90071992547409"])
        case 2, 3, 4, 5: return string()
        case 6: return array(depth - 1)
        default: return object(depth - 1)
        }
    }

    mutating func array(_ depth: Int) -> String {
        let elements = (0..<below(5)).map { _ in space() + value(depth) + space() }
        return "[\(elements.isEmpty ? space() : elements.joined(separator: ","))]"
    }

    mutating func object(_ depth: Int) -> String {
        let members = (0..<below(4)).map { number in
            "\(space())\"k\(number)\(pick(["", "\\u0020", "é"]))\"\(space()):\(space())\(value(depth))"
        }
        return "{\(members.joined(separator: ","))\(space())}"
    }
}
#endif
