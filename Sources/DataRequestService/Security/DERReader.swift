#if Requests
/// Reads consecutive values of DER (ITU-T X.690).
struct DERReader {
    struct Value {
        let tag: UInt8
        let content: ArraySlice<UInt8>
        /// The tag, the length and the content.
        let whole: ArraySlice<UInt8>

        /// A reader of the values that the content is made of.
        var values: DERReader { DERReader(content) }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next value; nil at the end, or if the bytes are not a value.
    mutating func next() -> Value? {
        guard rest.count >= 2, let tag = rest.first else { return nil }
        // Certificates have no tags of several bytes.
        guard tag & 0x1F != 0x1F else { return nil }
        var place = rest.startIndex + 2
        var length = Int(rest[place - 1])
        if length >= 0x80 {
            let count = length & 0x7F
            guard (1...4).contains(count), rest.endIndex - place >= count else { return nil }
            length = rest[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
            place += count
        }
        guard rest.endIndex - place >= length else { return nil }
        let value = Value(
            tag: tag, content: rest[place..<place + length],
            whole: rest[rest.startIndex..<place + length])
        rest = rest[(place + length)...]
        return value
    }

    /// The next value if it has that tag; otherwise nil, without consuming it.
    mutating func next(_ tag: UInt8) -> Value? { rest.first == tag ? next() : nil }
}

extension DERReader {
    static let boolean: UInt8 = 0x01
    static let integer: UInt8 = 0x02
    static let octets: UInt8 = 0x04
    static let identifier: UInt8 = 0x06
    static let sequence: UInt8 = 0x30
    static let set: UInt8 = 0x31
}
#endif
