import Foundation
import SkiathosStore
import TestSupport
import Testing

/// Stored values that another program has written.
struct StoredFormTests {
    /// Values that a type never writes, though its column takes them.
    private struct Foreign: Sendable {
        let type: String
        let values: [StoreValue]
        let read: @Sendable (StoreValue) throws -> Void

        init<C: ColumnCoding>(_ coding: C.Type, _ values: [StoreValue]) {
            type = "\(C.Value.self)"
            self.values = values
            read = { _ = try StoredFormTests.read($0, C.self) }
        }

        init<C: ColumnCoding>(_ coding: C.Type, texts: [String]) {
            self.init(coding, texts.map { .text($0) })
        }
    }

    private enum Mood: String, Sendable { case calm, merry }
    private struct Note: Codable, Sendable { var title = "" }

    private static let seconds: [StoreValue] = [
        .real(1e300), .real(.infinity), .real(-.infinity), .real(-1e12), .real(252_423_993_600),
        .real((-63_113_904_000.0).nextDown),
    ]

    private static let sevens = String(repeating: "7", count: 49)
    private static let zeros = String(repeating: "0", count: 200)

    private static let decimals: [String] = [
        "", "-", ".", "-.", "1.", "-1.", ".5", "-.5", "+1", "--1", "1-", "1.2.3", "1,5", "1_000",
        " 1", "1 ", "1.5 ", "\n1", "12abc", "0x10", "1e5", "1E5", "1.0e+20", "NaN", "inf",
        "\u{663}", "1\0", "1\u{FFFD}", "1\u{301}", sevens, "0.\(sevens)",
        // One more than the largest number of 39 digits, and others of as many or more.
        "340282366920938463463374607431768211456", "3.40282366920938463463374607431768211456",
        "-999999999999999999999999999999999999999", "3402823669209384634633746074317682114551",
        "1\(zeros)", "0.\(zeros)1",
    ]

    private static let foreign: [Foreign] = [
        Foreign(Coding.of(Int8.self), [.integer(128), .integer(-129), .integer(.max)]),
        Foreign(Coding.of(UInt8.self), [.integer(256), .integer(-1)]),
        Foreign(Coding.of(UInt64.self), [.integer(-1)]),
        Foreign(Coding.of(Bool.self), [.integer(2), .integer(-1)]),
        Foreign(
            Coding.of(Float.self),
            [.real(1e300), .real(-1e39), .real(2 * Double(Float.greatestFiniteMagnitude))]),
        Foreign(Coding.of(Date.self), seconds),
        Foreign(Coding.of(Date?.self), seconds),
        Foreign(Coding.of(UUID.self), [.blob([]), .blob([1]), .blob(Array(0..<17))]),
        Foreign(
            Coding.of(URL.self),
            texts: ["", "a b", " a", "a\n", "ä", "a%zz", "a\0b", "a\u{FFFD}", "\u{212A}"]),
        Foreign(Coding.of(URL?.self), texts: ["", "a b"]),
        Foreign(Coding.of(Decimal.self), texts: decimals),
        Foreign(Coding.of(Decimal?.self), texts: decimals),
        Foreign(Coding.of(Mood.self), texts: ["", "Calm", "calm "]),
        Foreign(Coding.of(Note.self), texts: ["", "{", "[]", "{\"title\":1}"]),
    ]

    private static func read<C: ColumnCoding>(
        _ value: StoreValue, _ coding: C.Type
    ) throws -> C.Value {
        try ValueRow([value]).read { try C.read($0, 0) }
    }

    @Test func `a value that its type never writes is an error, and never a default`() {
        for foreign in Self.foreign {
            for value in foreign.values {
                let error = #expect(throws: StoreError.self, "\(foreign.type): \(value)") {
                    try foreign.read(value)
                }
                #expect(error?.code == .undecodableValue, "\(foreign.type): \(value)")
            }
        }
    }

    @Test func `a decimal number is read in each spelling that keeps all of its digits`() throws {
        let largest = "340282366920938463463374607431768211455"
        let zeros = String(repeating: "0", count: 127)
        let spellings: [(String, String)] = [
            ("0", "0"), ("-0", "0"), ("0.000", "0"), ("-0.0", "0"), ("000", "0"), ("7", "7"),
            ("007", "7"), ("9.50", "9.5"), ("-12.50", "-12.5"), ("-0.5", "-0.5"), ("100", "100"),
            (largest, largest), ("-\(largest)", "-\(largest)"), ("0\(largest).0", largest),
            ("\(largest)\(zeros)", "\(largest)\(zeros)"), ("1\(zeros)", "1\(zeros)"),
            ("0.\(zeros)1", "0.\(zeros)1"), ("-0.\(largest)", "-0.\(largest)"),
            ("1.\(zeros)", "1"),
        ]
        for (text, expected) in spellings {
            let found = try Self.read(.text(text), Coding.of(Decimal.self))
            #expect("\(found)" == expected, "\(text)")
        }
    }

    @Test func `numbers and moments at the ends of their ranges are read`() throws {
        for number in [0.1, 1e-300, -3.5, .infinity, -.infinity] {
            let found = try Self.read(.real(number), Coding.of(Float.self))
            #expect(found == Float(number))
        }
        for number in [Float.greatestFiniteMagnitude, .leastNonzeroMagnitude] {
            #expect(try Self.read(.real(Double(number)), Coding.of(Float.self)) == number)
        }
        for seconds in [-63_113_904_000, 0, 252_423_993_600.0.nextDown] {
            let found = try Self.read(.real(seconds), Coding.of(Date.self))
            #expect(found.timeIntervalSinceReferenceDate == seconds)
        }
    }

    @Test func `an address is read as the text that it was stored as`() throws {
        for text in [
            "a", "/a//b", "?", "#b", "https://example.org/%C3%A4?b=c%20d#e", "mailto:a@example.org",
            "http://[::1]:80/", "file:///a/b", "HTTP://EXAMPLE.ORG",
        ] {
            let url = try Self.read(.text(text), Coding.of(URL.self))
            #expect(url.absoluteString == text)
        }
    }

    @Test(.seeded)
    func `a random text is a decimal number if it is spelled as one and no digit is lost`() {
        var random = SeededNumbers(seed: Seed.current)
        for _ in 0..<5000 {
            let text = Self.spelling(&random)
            let found = try? Self.read(.text(text), Coding.of(Decimal.self))
            let isExpected = found.map { "\($0)" } == Self.number(text)
            #expect(isExpected, "\(text.debugDescription)")
            if !isExpected { return }
        }
    }

    /// A number of few or many digits, or nearly one.
    private static func spelling(_ random: inout SeededNumbers) -> String {
        func digits(_ counts: [Int]) -> String {
            let isSparse = random.happens(30)
            return (0..<counts[random.below(counts.count)]).map { _ in
                isSparse && random.happens(80) ? "0" : "\(random.below(10))"
            }.joined()
        }
        var text = random.happens(50) ? "-" : ""
        text += digits([1, 2, 9, 19, 36, 38, 39, 40])
        if random.happens(60) { text += "." + digits([1, 2, 18, 37, 38, 39]) }
        guard random.happens(30) else { return text }
        var scalars = Array(text.unicodeScalars)
        let others = Array("0.-+ eEx\0é".unicodeScalars)
        let place = random.below(scalars.count)
        switch random.below(3) {
        case 0: scalars.remove(at: place)
        case 1: scalars[place] = others[random.below(others.count)]
        default: scalars.insert(others[random.below(others.count)], at: place)
        }
        text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        return text
    }

    /// The shortest spelling of the number that a text stands for; `nil` if it is none, or has
    /// more digits than are kept.
    private static func number(_ text: String) -> String? {
        guard text.wholeMatch(of: /-?[0-9]+(?:\.[0-9]+)?/) != nil else { return nil }
        let parts = text.drop { $0 == "-" }.split(separator: ".")
        let whole = parts[0].drop { $0 == "0" }
        var fraction = parts.count > 1 ? parts[1] : ""
        while fraction.last == "0" { fraction.removeLast() }
        var shortest = whole.isEmpty ? "0" : String(whole)
        if !fraction.isEmpty { shortest += ".\(fraction)" }
        if text.hasPrefix("-"), shortest != "0" { shortest = "-" + shortest }
        // Foundation leaves out the last digits where there are too many.
        guard let known = Decimal(string: shortest), "\(known)" == shortest else { return nil }
        return shortest
    }
}
