/// A value as JSON in which equal values are equal byte for byte.
///
/// Members of objects are sorted by the bytes of their keys, and what has no order in Swift, by its
/// own bytes. What has an order keeps it.
enum CanonicalJSON {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number in the digits of JSON.
    case number(String)
    case text(String)
    case array([CanonicalJSON])
    case object([Member])
    /// Groups of so many values, which have an order inside of each group alone.
    case unordered([CanonicalJSON], groupSize: Int)
    /// The value of an encoder that may not be complete yet.
    case open(CanonicalJSONEncoder)

    struct Member {
        var key: String
        var value: CanonicalJSON
    }

    /// How deep arrays and objects may be nested: as deep as Foundation's decoder reads.
    static let maximumDepth = 512

    /// Adds the bytes of the value.
    ///
    /// - Parameter depth: The number of arrays and objects around it.
    /// - Throws: ``TooDeep`` for what could not be read again.
    func write(to bytes: inout [UInt8], depth: Int = 0) throws {
        switch self {
        case .null: bytes.append(contentsOf: "null".utf8)
        case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
        case .integer(let value): bytes.append(contentsOf: value.description.utf8)
        case .number(let digits): bytes.append(contentsOf: digits.utf8)
        case .text(let text): Self.write(text, to: &bytes)
        case .array(let values):
            try Self.write(values, to: &bytes, depth: try Self.deeper(depth))
        case .object(let members):
            try Self.write(members, to: &bytes, depth: try Self.deeper(depth))
        case .unordered(let values, let size):
            try Self.write(values, groupSize: size, to: &bytes, depth: try Self.deeper(depth))
        case .open(let encoder): try encoder.result.write(to: &bytes, depth: depth)
        }
    }

    /// Arrays and objects are nested deeper than can be decoded again.
    struct TooDeep: Error {}

    private static func deeper(_ depth: Int) throws -> Int {
        guard depth < maximumDepth else { throw TooDeep() }
        return depth + 1
    }

    private static func write(
        _ values: [CanonicalJSON], to bytes: inout [UInt8], depth: Int
    ) throws {
        bytes.append(UInt8(ascii: "["))
        for (position, value) in values.enumerated() {
            if position > 0 { bytes.append(UInt8(ascii: ",")) }
            try value.write(to: &bytes, depth: depth)
        }
        bytes.append(UInt8(ascii: "]"))
    }

    private static func write(
        _ values: [CanonicalJSON], groupSize: Int, to bytes: inout [UInt8], depth: Int
    ) throws {
        var groups = try stride(from: 0, to: values.count, by: groupSize).map { start in
            var group: [UInt8] = []
            for position in start..<min(start + groupSize, values.count) {
                if position > start { group.append(UInt8(ascii: ",")) }
                try values[position].write(to: &group, depth: depth)
            }
            return group
        }
        groups.sort { $0.lexicographicallyPrecedes($1) }
        bytes.append(UInt8(ascii: "["))
        bytes.append(contentsOf: groups.joined(separator: [UInt8(ascii: ",")]))
        bytes.append(UInt8(ascii: "]"))
    }

    private static func write(
        _ members: [Member], to bytes: inout [UInt8], depth: Int
    ) throws {
        bytes.append(UInt8(ascii: "{"))
        var isFirst = true
        for member in sorted(members) {
            if !isFirst { bytes.append(UInt8(ascii: ",")) }
            isFirst = false
            write(member.key, to: &bytes)
            bytes.append(UInt8(ascii: ":"))
            try member.value.write(to: &bytes, depth: depth)
        }
        bytes.append(UInt8(ascii: "}"))
    }

    /// The members by their keys; of those with one key, the last one.
    private static func sorted(_ members: [Member]) -> [Member] {
        var sorted = members
        // Sorting by insertion is stable, and objects are small or nearly sorted as a rule.
        let isLarge = members.count > 24
        if isLarge {
            sorted = members.enumerated().sorted { left, right in
                if left.element.key.hasSameBytes(as: right.element.key) {
                    return left.offset < right.offset
                }
                return left.element.key.precedesByBytes(right.element.key)
            }.map(\.element)
        } else {
            for position in sorted.indices.dropFirst() {
                var place = position
                while place > 0, sorted[place].key.precedesByBytes(sorted[place - 1].key) {
                    sorted.swapAt(place, place - 1)
                    place -= 1
                }
            }
        }
        var position = 1
        while position < sorted.count {
            if sorted[position].key.hasSameBytes(as: sorted[position - 1].key) {
                sorted.remove(at: position - 1)
            } else {
                position += 1
            }
        }
        return sorted
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var start = 0
            for position in utf8.indices {
                let byte = utf8[position]
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
                else { continue }
                bytes.append(contentsOf: utf8[start..<position])
                start = position + 1
                escape(byte, to: &bytes)
            }
            bytes.append(contentsOf: utf8[start...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func escape(_ byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x00..<0x20:
            let digits = Array("0123456789abcdef".utf8)
            bytes.append(contentsOf: "u00".utf8)
            bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        default: bytes.append(byte)
        }
    }
}

extension String {
    fileprivate func hasSameBytes(as other: String) -> Bool { isIdentical(to: other) }

    /// Whether the text comes first by the bytes of UTF-8.
    fileprivate func precedesByBytes(_ other: String) -> Bool {
        let result = utf8.withContiguousStorageIfAvailable { left in
            other.utf8.withContiguousStorageIfAvailable { left.lexicographicallyPrecedes($0) }
        }
        if case .some(.some(let isFirst)) = result { return isFirst }
        return utf8.lexicographicallyPrecedes(other.utf8)
    }
}
