#if RequestCore
/// The grammar of JSON (RFC 8259) as an automaton with a stack, which takes one byte after the other.
///
/// It reports where values and keys begin and end, and refuses the first byte that no JSON
/// text can have at its position. It stores none of the text. The decoder checks whether
/// strings are valid UTF-8 and whether escaped surrogates are paired.
struct JSONGrammar: Sendable {
    /// What begins or ends with a byte.
    enum Event {
        case nothing
        case beginsValue(isContainer: Bool)
        case endsValue
        /// A number has ended before this byte, which must be passed again.
        case endedBefore
        case beginsKey
        case endsKey
    }

    /// A byte that is not allowed at its position.
    struct Refusal: Error {
        /// What was expected there.
        let expected: String
        /// Whether the byte is refused only by the limit of nesting.
        var isTooDeep = false
    }

    /// What may come next.
    enum State: Sendable, Equatable {
        case value
        case valueOrEndOfArray
        case key
        case keyOrEndOfObject
        case colon
        /// After a value: a comma, the end of the container, or the end of the document.
        case separator
        case string(isKey: Bool)
        case escape(isKey: Bool)
        case unicode(isKey: Bool, left: Int)
        case number(Number)
        /// The rest of `true`, `false` or `null`.
        case literal(Literal, at: Int)
    }

    /// The parts of a number, by what has come last.
    enum Number: Sendable { case minus, zero, integer, point, fraction, exponent, sign, power }

    enum Literal: Sendable {
        case yes, no, nothing

        var letters: StaticString {
            switch self {
            case .yes: "true"
            case .no: "false"
            case .nothing: "null"
            }
        }
    }

    /// What may come next.
    private(set) var state = State.value
    /// Whether each open container is an object, from the outermost one.
    private var stack: [Bool] = []
    let maximumDepth: Int
    /// Whether the text has any number of top-level values, one on each line.
    let isLines: Bool

    init(maximumDepth: Int, isLines: Bool) {
        self.maximumDepth = maximumDepth
        self.isLines = isLines
    }

    /// How many containers are open.
    var depth: Int { stack.count }
    /// Whether the next byte may be any part of a string.
    var isInString: Bool { if case .string = state { true } else { false } }
    /// Whether the text is between top-level values.
    var isBetweenValues: Bool { stack.isEmpty && (state == .separator || state == .value) }
    /// Whether the single value of a document is complete.
    var isComplete: Bool { stack.isEmpty && state == .separator }

    /// Takes a byte.
    mutating func step(_ byte: UInt8) throws(Refusal) -> Event {
        switch state {
        case .string(let isKey): return try string(byte, isKey)
        case .escape(let isKey): return try escape(byte, isKey)
        case .unicode(let isKey, let left): return try unicode(byte, isKey, left)
        case .number(let part): return try number(byte, part)
        case .literal(let literal, let index): return try letter(byte, of: literal, at: index)
        default: break
        }
        if isSpace(byte) { return try space(byte) }
        switch state {
        case .value: return try value(byte)
        case .valueOrEndOfArray:
            return byte == UInt8(ascii: "]") ? close() : try value(byte)
        case .key: return try key(byte)
        case .keyOrEndOfObject: return byte == UInt8(ascii: "}") ? close() : try key(byte)
        case .colon:
            guard byte == UInt8(ascii: ":") else { throw Refusal(expected: "a colon") }
            state = .value
            return .nothing
        default: return try separator(byte)
        }
    }

    /// Ends a number at the end of the text; returns whether there was one.
    mutating func endNumber() -> Bool {
        guard case .number(let part) = state, part.isWhole else { return false }
        state = .separator
        return true
    }

    private func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private mutating func space(_ byte: UInt8) throws(Refusal) -> Event {
        guard isLines, byte == 0x0A else { return .nothing }
        guard isBetweenValues else {
            throw Refusal(expected: "the rest of the value")
        }
        state = .value
        return .nothing
    }
}

extension JSONGrammar {
    private mutating func value(_ byte: UInt8) throws(Refusal) -> Event {
        switch byte {
        case UInt8(ascii: "{"): return try open(isObject: true)
        case UInt8(ascii: "["): return try open(isObject: false)
        case UInt8(ascii: "\""): state = .string(isKey: false)
        case UInt8(ascii: "t"): state = .literal(.yes, at: 1)
        case UInt8(ascii: "f"): state = .literal(.no, at: 1)
        case UInt8(ascii: "n"): state = .literal(.nothing, at: 1)
        case UInt8(ascii: "-"): state = .number(.minus)
        case UInt8(ascii: "0"): state = .number(.zero)
        case UInt8(ascii: "1")...UInt8(ascii: "9"): state = .number(.integer)
        default: throw Refusal(expected: "a value")
        }
        return .beginsValue(isContainer: false)
    }

    private mutating func open(isObject: Bool) throws(Refusal) -> Event {
        guard stack.count < maximumDepth else {
            throw Refusal(expected: "a value without parts", isTooDeep: true)
        }
        stack.append(isObject)
        state = isObject ? .keyOrEndOfObject : .valueOrEndOfArray
        return .beginsValue(isContainer: true)
    }

    private mutating func close() -> Event {
        stack.removeLast()
        state = .separator
        return .endsValue
    }

    private mutating func key(_ byte: UInt8) throws(Refusal) -> Event {
        guard byte == UInt8(ascii: "\"") else { throw Refusal(expected: "a key") }
        state = .string(isKey: true)
        return .beginsKey
    }

    private mutating func separator(_ byte: UInt8) throws(Refusal) -> Event {
        guard let isObject = stack.last else {
            throw Refusal(expected: isLines ? "the end of the line" : "the end of the document")
        }
        switch byte {
        case UInt8(ascii: ","):
            state = isObject ? .key : .value
            return .nothing
        case UInt8(ascii: "}") where isObject, UInt8(ascii: "]") where !isObject: return close()
        default: throw Refusal(expected: isObject ? "a comma or }" : "a comma or ]")
        }
    }

    private mutating func string(_ byte: UInt8, _ isKey: Bool) throws(Refusal) -> Event {
        switch byte {
        case UInt8(ascii: "\""):
            state = isKey ? .colon : .separator
            return isKey ? .endsKey : .endsValue
        case UInt8(ascii: "\\"): state = .escape(isKey: isKey)
        case 0..<0x20: throw Refusal(expected: "no control character in a string")
        default: break
        }
        return .nothing
    }

    private mutating func escape(_ byte: UInt8, _ isKey: Bool) throws(Refusal) -> Event {
        switch byte {
        case UInt8(ascii: "u"): state = .unicode(isKey: isKey, left: 4)
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            state = .string(isKey: isKey)
        default: throw Refusal(expected: "an escape that JSON has")
        }
        return .nothing
    }

    private mutating func unicode(
        _ byte: UInt8, _ isKey: Bool, _ left: Int
    ) throws(Refusal) -> Event {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            state = left == 1 ? .string(isKey: isKey) : .unicode(isKey: isKey, left: left - 1)
            return .nothing
        default: throw Refusal(expected: "four hexadecimal digits")
        }
    }

    private mutating func letter(
        _ byte: UInt8, of literal: Literal, at index: Int
    ) throws(Refusal) -> Event {
        let letters = literal.letters
        guard letters.utf8Start[index] == byte else {
            throw Refusal(expected: "\(letters)")
        }
        let isLast = index + 1 == letters.utf8CodeUnitCount
        state = isLast ? .separator : .literal(literal, at: index + 1)
        return isLast ? .endsValue : .nothing
    }

    private mutating func number(_ byte: UInt8, _ part: Number) throws(Refusal) -> Event {
        if let next = part.following(byte) {
            state = .number(next)
            return .nothing
        }
        guard part.isWhole else { throw Refusal(expected: "a digit") }
        state = .separator
        return .endedBefore
    }
}

extension JSONGrammar.Number {
    /// Whether the number may end here.
    var isWhole: Bool {
        switch self {
        case .zero, .integer, .fraction, .power: true
        case .minus, .point, .exponent, .sign: false
        }
    }

    /// The part that a byte belongs to, if it is one of the number.
    func following(_ byte: UInt8) -> Self? {
        let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        switch (self, byte) {
        case (.minus, UInt8(ascii: "0")): return .zero
        case (.minus, _) where isDigit: return .integer
        case (.integer, _) where isDigit: return .integer
        case (.zero, UInt8(ascii: ".")), (.integer, UInt8(ascii: ".")): return .point
        case (.point, _) where isDigit, (.fraction, _) where isDigit: return .fraction
        case (.zero, UInt8(ascii: "e")), (.zero, UInt8(ascii: "E")),
            (.integer, UInt8(ascii: "e")), (.integer, UInt8(ascii: "E")),
            (.fraction, UInt8(ascii: "e")), (.fraction, UInt8(ascii: "E")):
            return .exponent
        case (.exponent, UInt8(ascii: "+")), (.exponent, UInt8(ascii: "-")): return .sign
        case (.exponent, _) where isDigit, (.sign, _) where isDigit, (.power, _) where isDigit:
            return .power
        default: return nil
        }
    }
}
#endif
