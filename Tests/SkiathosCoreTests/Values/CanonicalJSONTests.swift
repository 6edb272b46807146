import Foundation
import SkiathosStore
import TestSupport
import Testing

/// Values that were made in another order, with another capacity, are stored in the same bytes.
@Suite struct CanonicalJSONTests {
    private func bytes<T: Codable & Sendable>(_ value: T) throws -> String {
        guard case .text(let text) = try StoreValue(value, JSONCoding<T>.self) else { return "" }
        return text
    }

    private func decoded<T: Codable & Sendable>(_ text: String, as type: T.Type) throws -> T {
        try ValueRow([.text(text)]).read { try JSONCoding<T>.read($0, 0) }
    }

    @Test func `equal values have equal bytes, whatever the order in which they were made`()
        throws
    {
        for seed in UInt64(1)...300 {
            let plan = RandomDocument(seed: seed)
            let (left, right) = (plan.made(seed: seed &* 3), plan.made(seed: seed &* 7 &+ 1))
            try #require(left == right)
            let (first, second) = (try bytes(left), try bytes(right))
            #expect(Array(first.utf8) == Array(second.utf8), "seed \(seed)")
            #expect(try decoded(first, as: Document.self) == left, "seed \(seed)")
            #expect(JSONCoding<Document>.areIdentical(left, right), "seed \(seed)")
            let (foundation, own) = (
                try JSONDecoder().decode(Document.self, from: JSONEncoder().encode(left)),
                try JSONDecoder().decode(Document.self, from: Data(first.utf8))
            )
            #expect(foundation == own, "seed \(seed)")
        }
    }

    @Test func `a value whose parts all have an order is encoded as by Foundation`() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        for seed in UInt64(1)...300 {
            let value = RandomDocument(seed: seed).made(seed: seed).ordered
            let expected = String(decoding: try encoder.encode(value), as: UTF8.self)
            #expect(try bytes(value) == expected, "seed \(seed)")
        }
    }

    @Test func `elements with an order keep it`() throws {
        #expect(try bytes([3, 1, 2]) == "[3,1,2]")
        #expect(try bytes([Set([3, 1, 2]), Set([2, 0])]) == "[[1,2,3],[0,2]]")
        #expect(try bytes(["b": [2, 1], "a": []]) == #"{"a":[],"b":[2,1]}"#)
        #expect(try bytes([10: "ten", 9: "nine"]) == #"{"10":"ten","9":"nine"}"#)
        #expect(try bytes([Int8(2): "b", 1: "a"]) == #"[1,"a",2,"b"]"#)
        #expect(try bytes(Set([Set(["b", "a"]), Set(["a"])])) == #"[["a","b"],["a"]]"#)
        #expect(try bytes(Set<Int>()) == "[]")
    }

    @Test
    func `classes, nested containers and keys that are given twice are encoded as by Foundation`()
        throws
    {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let value = Nested()
        #expect(try bytes(value) == String(decoding: encoder.encode(value), as: UTF8.self))
        #expect(try bytes(value).contains(#""values":[1,[],{"a":true}]"#))
    }

    @Test(arguments: [1, 2, 255, 510, 511, 512, 513, 700, 1_100, 20_000])
    func `a value is stored as deep as it can be read again, and refused beyond`(
        depth: Int
    ) throws {
        var list = List(next: [])
        for _ in 1..<depth { list = List(next: [list]) }
        let isReadable = depth <= 512
        if isReadable {
            #expect(try decoded(bytes(list), as: List.self).depth == depth)
        } else {
            let error = #expect(throws: StoreError.self) { try bytes(list) }
            #expect(error?.code == .invalidValue)
            #expect(error?.message.contains("512") == true)
        }
        // So that not even the end of the list is deep.
        while let next = list.next.first { list = next }
    }

    @Test func `numbers that are not finite and values that encode nothing are refused`() {
        struct Nothing: Codable, Sendable {
            func encode(to encoder: any Encoder) throws {}
            init() {}
            init(from decoder: any Decoder) throws {}
        }
        func code<T: Codable & Sendable>(_ value: T) -> StoreError.Code? {
            #expect(throws: StoreError.self) { try bytes(value) }?.code
        }
        #expect(code([Double.nan]) == .invalidValue)
        #expect(code(Set([Float.infinity])) == .invalidValue)
        #expect(code(["a": Decimal.nan]) == .invalidValue)
        #expect(code(Nothing()) == .invalidValue)
    }
}

/// Arrays in arrays.
private struct List: Codable, Sendable {
    var next: [List]

    var depth: Int {
        var (depth, list) = (1, self)
        while let next = list.next.first { (depth, list) = (depth + 1, next) }
        return depth
    }

    init(next: [List]) { self.next = next }

    init(from decoder: any Decoder) throws {
        next = try decoder.singleValueContainer().decode([List].self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(next)
    }
}

/// What a type may do that writes its encoding itself.
private struct Nested: Codable, Sendable {
    enum Keys: String, CodingKey { case values, inner, twice, none }

    init() {}
    init(from decoder: any Decoder) throws {}

    func encode(to encoder: any Encoder) throws {
        var object = encoder.container(keyedBy: Keys.self)
        var values = object.nestedUnkeyedContainer(forKey: .values)
        try values.encode(1)
        _ = values.nestedUnkeyedContainer()
        var last = values.nestedContainer(keyedBy: OtherKeys.self)
        try last.encode(true, forKey: .a)
        var inner = object.nestedContainer(keyedBy: OtherKeys.self, forKey: .inner)
        try inner.encode("x/y", forKey: .a)
        try object.encode(1, forKey: .twice)
        try object.encode(2, forKey: .twice)
        try object.encodeNil(forKey: .none)
        var single = object.superEncoder().singleValueContainer()
        try single.encode(Float(0.1))
        // The same object, once more.
        var again = encoder.container(keyedBy: OtherKeys.self)
        try again.encode(UInt64.max, forKey: .a)
    }

    enum OtherKeys: String, CodingKey { case a }
}

/// A document with all that has no order, in every place.
private struct Document: Codable, Sendable, Equatable {
    enum Kind: String, Codable, Sendable, CaseIterable { case plain, rare, lost }
    enum Part: Codable, Sendable, Hashable {
        case none
        case tags(Set<String>)
        case pair(left: Int, right: Set<Kind>)
    }
    struct Point: Codable, Sendable, Hashable {
        var x: Double
        var y: Float
    }
    struct Inner: Codable, Sendable, Equatable {
        var points: Set<Point>
        var part: Part
    }
    struct Ordered: Codable, Sendable, Equatable {
        var numbers: [Int]
        var texts: [String: [Double]]
        var title: String
        var date: Date
        var bytes: Data
        var page: URL?
        var price: Decimal
        var small: Int8
        var large: UInt64
    }

    var ordered: Ordered
    var tags: Set<String>
    var names: [Int: String]
    var shares: [UUID: Set<Int>]
    var kinds: [Kind: [String]]
    var distances: [Point: Point]
    var groups: Set<Set<Int>>
    var parts: Set<Part>
    var inner: [Inner]
    var optional: Set<Int8>?
    var named: [String: Set<UInt16>]
}

/// The contents of a document, from which it can be made in any order.
private struct RandomDocument {
    private let seed: UInt64

    init(seed: UInt64) { self.seed = seed }

    func made(seed order: UInt64) -> Document {
        // The contents come from one sequence, and the order from another.
        var maker = Maker(contents: SeededNumbers(seed: seed), order: SeededNumbers(seed: order))
        return maker.document()
    }
}

private struct Maker {
    var contents: SeededNumbers
    var order: SeededNumbers

    mutating func document() -> Document {
        Document(
            ordered: .init(
                numbers: list { $0.number() }, texts: dictionary({ $0.text() }, { $0.doubles() }),
                title: text(), date: Date(timeIntervalSinceReferenceDate: double()),
                bytes: Data(list { UInt8(truncatingIfNeeded: $0.number()) }),
                page: URL(string: "https://example.org/\(number().magnitude)"),
                price: Decimal(number()) / 8, small: .init(truncatingIfNeeded: number()),
                large: .init(truncatingIfNeeded: number())),
            tags: set { $0.text() }, names: dictionary({ $0.number() }, { $0.text() }),
            shares: dictionary({ $0.uuid() }, { $0.set { $0.number() } }),
            kinds: dictionary({ $0.kind() }, { $0.list { $0.text() } }),
            distances: dictionary({ $0.point() }, { $0.point() }),
            groups: set { $0.set { $0.number() } }, parts: set { $0.part() },
            inner: list { .init(points: $0.set { $0.point() }, part: $0.part()) },
            optional: number() % 3 == 0
                ? nil : set { .init(truncatingIfNeeded: $0.number()) },
            named: dictionary({ $0.text() }, { $0.set { .init(truncatingIfNeeded: $0.number()) } }))
    }

    private mutating func count() -> Int { Int.random(in: 0..<7, using: &contents) }

    private mutating func list<T>(_ make: (inout Maker) -> T) -> [T] {
        (0..<count()).map { _ in make(&self) }
    }

    private mutating func set<T: Hashable>(_ make: (inout Maker) -> T) -> Set<T> {
        let elements = list(make)
        var set = Set<T>(minimumCapacity: Int.random(in: 0..<200, using: &order))
        for element in elements.shuffled(using: &order) { set.insert(element) }
        return set
    }

    private mutating func dictionary<K: Hashable, V>(
        _ key: (inout Maker) -> K, _ value: (inout Maker) -> V
    ) -> [K: V] {
        var found: [K: V] = [:]
        for (key, value) in list({ (key(&$0), value(&$0)) }) where found[key] == nil {
            found[key] = value
        }
        var dictionary = [K: V](minimumCapacity: Int.random(in: 0..<200, using: &order))
        for (key, value) in found.shuffled(using: &order) { dictionary[key] = value }
        return dictionary
    }

    private mutating func number() -> Int {
        Int.random(in: 0..<4, using: &contents) == 0
            ? Int.random(in: .min ... .max, using: &contents)
            : Int.random(in: -20..<120, using: &contents)
    }

    private mutating func double() -> Double {
        switch Int.random(in: 0..<4, using: &contents) {
        case 0: Double(Int.random(in: -9..<9, using: &contents))
        case 1: Double.random(in: -1...1, using: &contents) * 1e-20
        case 2: Double.random(in: -1...1, using: &contents) * 1e200
        default: Double.random(in: -1_000...1_000, using: &contents)
        }
    }

    private mutating func doubles() -> [Double] { list { $0.double() } }

    private mutating func text() -> String {
        let pieces = [
            "a", "B", "z", "10", "9", "/", "\"", "\\", "\n", "\t", "\u{8}", "\u{c}", "\r", "\u{1}",
            "\u{1f}", "\u{7f}", "é", "e", "日", "😀", "\u{2028}", " ",
        ]
        return list { pieces.randomElement(using: &$0.contents) ?? "" }.joined()
    }

    private mutating func uuid() -> UUID {
        let byte = UInt8.random(in: 0..<9, using: &contents)
        return UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
    }

    private mutating func kind() -> Document.Kind {
        Document.Kind.allCases.randomElement(using: &contents) ?? .plain
    }

    private mutating func point() -> Document.Point {
        .init(x: double(), y: Float(Int.random(in: 0..<9, using: &contents)) / 4)
    }

    private mutating func part() -> Document.Part {
        switch Int.random(in: 0..<3, using: &contents) {
        case 0: .none
        case 1: .tags(set { $0.text() })
        default: .pair(left: number(), right: set { $0.kind() })
        }
    }
}
