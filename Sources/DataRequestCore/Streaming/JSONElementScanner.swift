#if RequestCore
import SkiathosPlatformFoundation

/// Extracts the elements of a document that arrives in pieces.
///
/// It holds at most one element and the envelope.
///
/// A pure state machine: the same bytes give the same elements, however they are cut into pieces.
struct JSONElementScanner: Sendable {
    private let limits: ElementLimits
    /// The keys that lead to the array; nil for lines.
    private let path: [String]?
    private var grammar: JSONGrammar
    /// How many bytes earlier pieces had.
    private var passed: Int64 = 0
    /// How many bytes of a byte order mark were read; nil when there can be no more.
    private var mark: Int? = 0
    /// How many keys of the path match the open containers.
    private var matched = 0
    /// Whether the key that was just read is the next one of the path.
    private var isOnPath = true
    private var isInArray = false
    private var didFind = false
    /// The part of the current element or key that was in earlier pieces.
    private var capture = Capture()
    /// Everything but the elements: the document with an empty array in their place.
    private(set) var envelope = Data()

    init(_ place: ElementPlace, limits: ElementLimits) {
        self.limits = limits
        switch place.kind {
        case .array(let keys): path = keys
        case .lines: path = nil
        }
        grammar = JSONGrammar(maximumDepth: limits.depth, isLines: path == nil)
        isInArray = path == nil
    }

    /// The text that is being captured, beside the envelope.
    private struct Capture: Sendable {
        enum Kind { case nothing, element, key }
        var kind = Kind.nothing
        var bytes = Data()
        var offset: Int64 = 0
    }

    /// How many containers stand around an element.
    private var elementDepth: Int { path.map { $0.count + 1 } ?? 0 }

    /// Scans a piece of the document, and appends the elements that are complete.
    mutating func scan(_ piece: Data, into elements: inout [JSONElement]) throws {
        try piece.withUnsafeBytes { bytes in
            var index = try skipMark(bytes)
            // The start of the part of this piece that belongs to the capture or the envelope.
            var start = index
            while index < bytes.count {
                if grammar.isInString { index = Self.endOfPlainText(bytes, from: index) }
                guard index < bytes.count else { break }
                let event = try step(bytes[index], at: index)
                if case .endedBefore = event {
                    try ended(bytes, start..<index, &start, into: &elements)
                    continue
                }
                index += 1
                try handle(event, bytes, index, &start, into: &elements)
            }
            try keep(bytes, start..<bytes.count)
            passed += Int64(bytes.count)
        }
    }

    /// Ends the document.
    mutating func finish(into elements: inout [JSONElement]) throws {
        if grammar.endNumber() {
            var start = 0
            try Data().withUnsafeBytes { try ended($0, 0..<0, &start, into: &elements) }
        }
        guard path == nil ? grammar.isBetweenValues : grammar.isComplete else {
            throw DataRequestError.truncated(after: passed)
        }
        guard path == nil || didFind else { throw DataRequestError.noElements(path ?? []) }
    }

    private mutating func skipMark(_ bytes: UnsafeRawBufferPointer) throws -> Int {
        let expected: [UInt8] = [0xEF, 0xBB, 0xBF]
        var index = 0
        while let seen = mark, index < bytes.count {
            if seen < expected.count, bytes[index] == expected[seen] {
                mark = seen + 1
                index += 1
            } else if seen == 0 || seen == expected.count {
                mark = nil
            } else {
                throw DataRequestError.malformed(at: 0, expected: "a value")
            }
        }
        return index
    }

    /// The position of the next byte in a string that is not plain text.
    private static func endOfPlainText(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            index += 1
        }
        return index
    }

    private mutating func step(_ byte: UInt8, at index: Int) throws -> JSONGrammar.Event {
        do { return try grammar.step(byte) } catch {
            guard !error.isTooDeep else {
                throw DataRequestError.tooDeep(at: passed + Int64(index), limits.depth)
            }
            throw DataRequestError.malformed(at: passed + Int64(index), expected: error.expected)
        }
    }
}

extension JSONElementScanner {
    /// Handles an event of the byte before `end`.
    private mutating func handle(
        _ event: JSONGrammar.Event, _ bytes: UnsafeRawBufferPointer, _ end: Int,
        _ start: inout Int, into elements: inout [JSONElement]
    ) throws {
        switch event {
        case .nothing, .endedBefore: break
        case .beginsValue(let isContainer):
            try began(isContainer, first: bytes[end - 1], bytes, end, &start)
        case .endsValue: try ended(bytes, start..<end, &start, into: &elements)
        case .beginsKey: try beginKey(bytes, end, &start)
        case .endsKey: try endKey(bytes, end, &start)
        }
    }

    private mutating func began(
        _ isContainer: Bool, first: UInt8, _ bytes: UnsafeRawBufferPointer, _ end: Int,
        _ start: inout Int
    ) throws {
        let depth = isContainer ? grammar.depth - 1 : grammar.depth
        if isInArray {
            guard depth == elementDepth else { return }
            // Text between the elements is dropped.
            capture = Capture(kind: .element, offset: passed + Int64(end - 1))
            start = end - 1
            return
        }
        guard isOnPath, let path, depth == matched else { return }
        if depth == path.count {
            guard first == UInt8(ascii: "[") else {
                throw DataRequestError.notAnArray(at: passed + Int64(end - 1), path)
            }
            try keep(bytes, start..<end)
            (start, isInArray, isOnPath) = (end, true, false)
        } else {
            guard first == UInt8(ascii: "{") else {
                throw DataRequestError.notAnArray(at: passed + Int64(end - 1), path)
            }
            isOnPath = false
        }
    }

    /// Handles the end of a value, part of which is in the current piece.
    private mutating func ended(
        _ bytes: UnsafeRawBufferPointer, _ part: Range<Int>, _ start: inout Int,
        into elements: inout [JSONElement]
    ) throws {
        if isInArray {
            if grammar.depth == elementDepth {
                try keep(bytes, part)
                elements.append(JSONElement(bytes: capture.bytes, offset: capture.offset))
                capture = Capture()
                start = part.upperBound
            } else if grammar.depth < elementDepth {
                (isInArray, didFind, start) = (false, true, part.upperBound - 1)
                matched = max(0, matched - 1)
            }
        } else if matched > 0, grammar.depth == matched {
            // This was the value of the last matching key.
            matched -= 1
        }
    }

    private mutating func beginKey(
        _ bytes: UnsafeRawBufferPointer, _ end: Int, _ start: inout Int
    ) throws {
        guard !isInArray, let path, grammar.depth == matched + 1, matched < path.count else {
            return
        }
        try keep(bytes, start..<end - 1)
        capture = Capture(kind: .key, offset: passed + Int64(end - 1))
        start = end - 1
    }

    private mutating func endKey(
        _ bytes: UnsafeRawBufferPointer, _ end: Int, _ start: inout Int
    ) throws {
        guard capture.kind == .key, let path else { return }
        try keep(bytes, start..<end)
        start = end
        let (key, offset) = (capture.bytes, capture.offset)
        capture = Capture()
        try keep(key)
        guard let name = try? JSONDecoder().decode(String.self, from: key) else {
            throw DataRequestError.malformed(at: offset, expected: "a key in UTF-8")
        }
        guard name.utf8.elementsEqual(path[matched].utf8) else { return }
        guard !didFind else { throw DataRequestError.foundTwice(at: offset, path) }
        matched += 1
        isOnPath = true
    }

    /// Appends a part of the current piece to the capture.
    private mutating func keep(_ bytes: UnsafeRawBufferPointer, _ range: Range<Int>) throws {
        guard !range.isEmpty else { return }
        let part = UnsafeRawBufferPointer(rebasing: bytes[range])
        switch capture.kind {
        case .nothing:
            guard !isInArray else { return }
            try keep(Data(part))
        case .element, .key:
            let limit = capture.kind == .element ? limits.elementSize : limits.envelopeSize
            guard capture.bytes.count + part.count <= limit else {
                throw DataRequestError.tooLarge(
                    capture.kind == .element ? "An element" : "A key", at: capture.offset, limit)
            }
            capture.bytes.append(contentsOf: part)
        }
    }

    private mutating func keep(_ part: Data) throws {
        guard envelope.count + part.count <= limits.envelopeSize else {
            throw DataRequestError.tooLarge(
                "The envelope", at: passed, limits.envelopeSize)
        }
        envelope.append(part)
    }
}
#endif
