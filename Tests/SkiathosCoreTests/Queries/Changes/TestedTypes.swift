import Foundation
import Skiathos

/// Integers of one width and sign.
enum IntegerType<V: FixedWidthInteger & ColumnValue>: TestedNumber {
    typealias Coding = NativeCoding<V>

    static var name: String { "\(V.self)" }
    static var extremes: [V] {
        let all: [Int64] = [
            0, 1, 2, 3, 100, Int64(truncatingIfNeeded: V.max / 2), Int64(clamping: V.max),
            Int64(clamping: V.max) - 1, Int64(clamping: V.min), Int64(clamping: V.min) + 1, -1, -7,
        ]
        return all.compactMap { V(exactly: $0) }
    }

    static func wide(_ value: V) -> Int64 { Int64(value) }

    static func combine(
        _ operation: NumberOperation, _ left: Int64, _ right: Int64
    ) throws -> Int64? {
        try combineIntegers(operation, left, right)
    }

    static func narrow(_ value: Int64) throws -> V {
        guard let narrow = V(exactly: value) else { throw Refused() }
        return narrow
    }

    static func more(_ tree: NumberTree<Self>, _ constant: V) -> [NumberTree<Self>] {
        guard constant != 0 else { return [] }
        return [
            NumberTree("(\(tree.text) % \(constant))", tree.native % constant) {
                try combine(.remainder, tree.model($0), wide(constant)) ?? 0
            }
        ]
    }
}

func combineIntegers(
    _ operation: NumberOperation, _ left: Int64, _ right: Int64
) throws -> Int64? {
    let (result, hasOverflown) =
        switch operation {
        case .add: left.addingReportingOverflow(right)
        case .subtract: left.subtractingReportingOverflow(right)
        case .multiply: left.multipliedReportingOverflow(by: right)
        case .divide where right == 0, .remainder where right == 0:
            (partialValue: 0, overflow: false)
        case .divide: left.dividedReportingOverflow(by: right)
        case .remainder: (right == -1 ? 0 : left % right, false)
        }
    if hasOverflown { throw Refused() }
    let hasNone = right == 0 && (operation == .divide || operation == .remainder)
    return hasNone ? nil : result
}

/// Floating point numbers of one width.
enum RealType<V: BinaryFloatingPoint & ColumnValue>: TestedNumber {
    typealias Coding = NativeCoding<V>

    static var name: String { "\(V.self)" }
    static var extremes: [V] {
        [
            0, 1, -1, 0.1, 1.5, -2.5, 3, 1 / 3, V.greatestFiniteMagnitude,
            -V.greatestFiniteMagnitude, V.leastNonzeroMagnitude, V.infinity, -V.infinity,
            16_777_217, 1 + V.ulpOfOne,
        ]
    }

    static func wide(_ value: V) -> Double { Double(value) }

    static func combine(
        _ operation: NumberOperation, _ left: Double, _ right: Double
    ) throws -> Double? {
        let result: Double
        switch operation {
        case .add: result = left + right
        case .subtract: result = left - right
        case .multiply: result = left * right
        case .divide:
            guard right != 0 else { return nil }
            result = left / right
        case .remainder: preconditionFailure("Floating point numbers have no remainder here.")
        }
        if result.isNaN { throw Refused() }
        return result
    }

    static func narrow(_ value: Double) -> V { V(value) }

    static func more(_ tree: NumberTree<Self>, _ constant: V) -> [NumberTree<Self>] {
        [
            NumberTree("\(tree.text).rounded", tree.native.rounded) {
                try tree.model($0).rounded()
            }
        ]
    }
}

enum DecimalType: TestedNumber {
    typealias Coding = NativeCoding<Decimal>

    static let name = "Decimal"
    static var extremes: [Decimal] {
        [
            0, 1, -1, Decimal(string: "0.1") ?? 0, Decimal(string: "-12.345") ?? 0, 3,
            .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
            Decimal(string: "99999999999999999999999999999999999999") ?? 0,
        ]
    }

    static func wide(_ value: Decimal) -> Decimal { value }

    static func combine(
        _ operation: NumberOperation, _ left: Decimal, _ right: Decimal
    ) throws -> Decimal? {
        let result: Decimal
        switch operation {
        case .add: result = left + right
        case .subtract: result = left - right
        case .multiply:
            // Foundation traps where the exponent of a product is too small.
            if left.exponent + right.exponent < -128 { throw Refused() }
            result = left * right
        case .divide:
            guard right != 0 else { return nil }
            result = left / right
        case .remainder: preconditionFailure("Decimal numbers have no remainder.")
        }
        if result.isNaN { throw Refused() }
        return result
    }

    static func narrow(_ value: Decimal) -> Decimal { value }
}

/// A number of the user's own, which refuses some of the integers that it is kept as.
struct Even: ColumnValue, Numeric {
    var number: Int64

    init(_ number: Int64) { self.number = number }
    init(integerLiteral value: Int64) { number = value }
    init?<T: BinaryInteger>(exactly source: T) {
        guard let number = Int64(exactly: source) else { return nil }
        self.number = number
    }
    var magnitude: UInt64 { number.magnitude }
    static func + (left: Even, right: Even) -> Even { Even(left.number + right.number) }
    static func - (left: Even, right: Even) -> Even { Even(left.number - right.number) }
    static func * (left: Even, right: Even) -> Even { Even(left.number * right.number) }
    static func *= (left: inout Even, right: Even) { left = left * right }

    static var storage: StorageClass { .integer }
    init(row: RowReader, column: Int) throws {
        number = row.integer(at: column)
        guard number % 2 == 0 else { throw StoreError.undecodable(Even.self, column: column) }
    }
    func bind(to parameters: ParameterWriter, at position: Int) throws {
        guard number % 2 == 0 else { throw StoreError(.invalidValue, "An odd number.") }
        try parameters.bind(number, at: position)
    }
}

enum EvenType: TestedNumber {
    typealias Coding = NativeCoding<Even>
    static let name = "Even"
    static var extremes: [Even] { [0, 2, 6, -4, 10, Even(.max - 1), Even(.min)] }
    static func wide(_ value: Even) -> Int64 { value.number }
    static func combine(
        _ operation: NumberOperation, _ left: Int64, _ right: Int64
    ) throws -> Int64? {
        try combineIntegers(operation, left, right)
    }
    static func narrow(_ value: Int64) throws -> Even {
        guard value % 2 == 0 else { throw Refused() }
        return Even(value)
    }
}

/// A number with a raw value that it does not take every one of.
struct Level: RawRepresentable, Numeric, Sendable {
    var rawValue: Int

    init?(rawValue: Int) {
        guard (0...10).contains(rawValue) else { return nil }
        self.rawValue = rawValue
    }
    init(integerLiteral value: Int) { rawValue = value }
    init?<T: BinaryInteger>(exactly source: T) { self.init(rawValue: Int(source)) }
    var magnitude: UInt { rawValue.magnitude }
    static func + (left: Level, right: Level) -> Level {
        Level(integerLiteral: left.rawValue + right.rawValue)
    }
    static func - (left: Level, right: Level) -> Level {
        Level(integerLiteral: left.rawValue - right.rawValue)
    }
    static func * (left: Level, right: Level) -> Level {
        Level(integerLiteral: left.rawValue * right.rawValue)
    }
    static func *= (left: inout Level, right: Level) { left = left * right }
}

enum LevelType: TestedNumber {
    typealias Coding = RawCoding<Level>
    static let name = "Level"
    static var extremes: [Level] { [0, 1, 3, 9, 10] }
    static func wide(_ value: Level) -> Int64 { Int64(value.rawValue) }
    static func combine(
        _ operation: NumberOperation, _ left: Int64, _ right: Int64
    ) throws -> Int64? {
        try combineIntegers(operation, left, right)
    }
    static func narrow(_ value: Int64) throws -> Level {
        guard let level = Level(rawValue: Int(value)) else { throw Refused() }
        return level
    }
}

enum DateType: TestedType {
    typealias Coding = NativeCoding<Date>
    static let name = "Date"
    static var extremes: [Date] {
        let last = Date.latestStorable.timeIntervalSinceReferenceDate.nextDown
        return [
            Date(timeIntervalSinceReferenceDate: 0), .earliestStorable,
            Date(timeIntervalSinceReferenceDate: last), Date(timeIntervalSinceReferenceDate: 0.1),
            Date(timeIntervalSinceReferenceDate: 800_000_000),
        ]
    }
}

enum TextType: TestedType {
    typealias Coding = NativeCoding<String>
    static let name = "String"
    static let extremes = [
        "", "a", " b ", "e\u{301}", "\u{e9}", "\u{10FFFF}", "Straße", "\u{202E}\n", "0", "1.50",
    ]
}

/// Types that nothing is computed with.
enum PlainType<V: ColumnValue>: TestedType {
    typealias Coding = NativeCoding<V>
    static var name: String { "\(V.self)" }
    static var extremes: [V] { samples.compactMap { $0 as? V } }

    private static var samples: [any Sendable] {
        [
            false, true, UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 255)),
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            Data(), Data([0]), Data([255, 0, 1]), URL(filePath: "/a/b"), URL(filePath: "/ä"),
        ]
    }
}

enum KindType: TestedType {
    enum Kind: String, Sendable, CaseIterable { case round, flat }
    typealias Coding = RawCoding<Kind>
    static let name = "Kind"
    static let extremes = Kind.allCases
}

enum JSONType: TestedType {
    struct Note: Codable, Sendable, Comparable {
        var title = ""
        var lines: [Int] = []
        static func < (left: Note, right: Note) -> Bool { left.lines.count < right.lines.count }
    }
    typealias Coding = JSONCoding<Note>
    static let name = "Note"
    static let extremes = [Note(), Note(title: "\"{}", lines: [1, 2]), Note(title: "é")]
}
