import Foundation
import Skiathos
import TestSupport

/// Makes random specimens, and random values of each kind.
struct SpecimenGenerator {
    var random: SeededNumbers

    init(seed: UInt64) { random = SeededNumbers(seed: seed) }

    mutating func chance(_ part: Int, of whole: Int) -> Bool {
        Int.random(in: 0..<whole, using: &random) < part
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    mutating func optional<Value>(_ value: (inout Self) -> Value) -> Value? {
        chance(1, of: 3) ? nil : value(&self)
    }

    private static let texts = [
        "", "a", "A", "ab", "Ab", "b", "B", "e\u{301}", "\u{e9}", "\u{c9}", "e", "stra\u{df}e",
        "STRASSE", "\u{130}", "i", "\u{131}", "I", "\u{3a3}", "\u{3c3}", "\u{3c2}", "\u{1F600}",
        "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}", "\u{FFFD}", "a b", " a ", "\u{2003}a\u{85}",
        "%", "_", "a\nb", "Z", "z", "'", "\"", "10", "9", "\u{1C4}", "\u{fb01}", "\r\n",
    ]

    mutating func text() -> String { pick(Self.texts) }
    mutating func int() -> Int { Int.random(in: -9...9, using: &random) }
    mutating func real() -> Double { Double(Int.random(in: -16...16, using: &random)) / 4 }
    mutating func bool() -> Bool { Bool.random(using: &random) }
    mutating func kind() -> Specimen.Kind { pick(Specimen.Kind.allCases) }

    mutating func decimal() -> Decimal {
        let digits = pick([
            "0", "-1.5", "0.1", "10", "9.99", "9", "-10", "100.25", "123456789.123456789", "2.5",
        ])
        return Decimal(string: digits) ?? 0
    }

    /// Before 1970 and 2001, too, and with fractions of seconds.
    mutating func date() -> Date {
        let seconds = Double(Int.random(in: -9_000_000_000...9_000_000_000, using: &random))
        return Date(timeIntervalSinceReferenceDate: pick([0, seconds, seconds + 0.5, -0.25]))
    }

    mutating func uuid() -> UUID {
        let byte = pick([0, 1, 127, 128, 255] as [UInt8])
        return UUID(
            uuid: (byte, 0, 0, 0, 0, 0, 0x70, 0, 0x80, 0, 0, 0, 0, 0, 0, pick([0, 1] as [UInt8])))
    }

    mutating func inner() -> Specimen.Detail.Inner {
        Specimen.Detail.Inner(size: real(), optionalNumber: optional { $0.int() })
    }

    mutating func detail() -> Specimen.Detail {
        Specimen.Detail(
            number: int(), text: text(), optionalText: optional { $0.text() }, flag: bool(),
            kind: kind(), date: date(), inner: inner(), optionalInner: optional { $0.inner() })
    }

    /// Some rows, of which about half refer to another one or to themselves.
    mutating func specimens(_ count: Int) -> [Specimen] {
        (1...count).map { number in
            var row = Specimen(id: .init(rawValue: Int64(number)))
            row.number = int()
            row.optionalNumber = optional { $0.int() }
            row.size = real()
            row.optionalSize = optional { $0.real() }
            row.text = text()
            row.optionalText = optional { $0.text() }
            row.flag = bool()
            row.optionalFlag = optional { $0.bool() }
            row.date = date()
            row.optionalDate = optional { $0.date() }
            row.key = uuid()
            row.optionalKey = optional { $0.uuid() }
            row.price = decimal()
            row.optionalPrice = optional { $0.decimal() }
            row.kind = kind()
            row.optionalKind = optional { $0.kind() }
            let parent = Int64.random(in: 1...Int64(count), using: &random)
            row.parent = chance(1, of: 2) ? .init(rawValue: parent) : nil
            row.detail = detail()
            row.optionalDetail = optional { $0.detail() }
            return row
        }
    }
}
