import Foundation
import SkiathosStore
import Testing

private enum Plain: String { case a }
private enum Both: String, Codable { case a }
private struct Point: Codable { var x = 0 }
private struct Flags: OptionSet { let rawValue: Int }

/// A type that says itself how it is stored, although its raw value could be stored too.
private struct Meters: ColumnValue, RawRepresentable, Codable, Equatable {
    var rawValue: Double
    static var storage: StorageClass { .text }
    init(rawValue: Double) { self.rawValue = rawValue }
    init(row: RowReader, column: Int) throws { rawValue = 0 }
    func bind(to parameters: ParameterWriter, at position: Int) throws {
        try parameters.bind("\(rawValue) m", at: position)
    }
}

/// These tests are done when they compile: the annotations say which overload must be chosen.
@Suite struct CodingChoiceTests {
    @Test func `standard types are stored natively`() {
        let _: NativeCoding<String>.Type = Coding.of(String.self)
        let _: NativeCoding<Int?>.Type = Coding.of(Int?.self)
        let _: NativeCoding<Decimal>.Type = Coding.of(Decimal.self)
        let _: NativeCoding<URL>.Type = Coding.of(URL.self)
        let _: NativeCoding<Data>.Type = Coding.of(Data.self)
        let _: NativeCoding<UUID?>.Type = Coding.of(UUID?.self)
        let _: NativeCoding<Date>.Type = Coding.of(Date.self)
        check(Coding.of(Int?.self), .integer, isOptional: true)
        check(Coding.of(Decimal.self), .decimal)
        check(Coding.of(Date?.self), Coding.of(Date.self).storage, isOptional: true)
    }

    @Test func `types with a raw value are stored as it`() {
        let _: RawCoding<Plain>.Type = Coding.of(Plain.self)
        let _: OptionalCoding<RawCoding<Plain>>.Type = Coding.of(Plain?.self)
        let _: RawCoding<Both>.Type = Coding.of(Both.self)
        let _: OptionalCoding<RawCoding<Both>>.Type = Coding.of(Both?.self)
        let _: RawCoding<Flags>.Type = Coding.of(Flags.self)
        check(Coding.of(Both?.self), .text, isOptional: true)
        check(Coding.of(Flags.self), .integer)
    }

    @Test func `other codable types are stored as JSON`() {
        let _: JSONCoding<Point>.Type = Coding.of(Point.self)
        let _: OptionalCoding<JSONCoding<Point>>.Type = Coding.of(Point?.self)
        let _: JSONCoding<[String]>.Type = Coding.of([String].self)
        let _: JSONCoding<[String: Int]>.Type = Coding.of([String: Int].self)
        let _: OptionalCoding<JSONCoding<Set<Int>>>.Type = Coding.of(Set<Int>?.self)
        check(Coding.of(Point?.self), .text, isOptional: true)
    }

    @Test func `a type that says how it is stored is asked before its raw value`() {
        let _: NativeCoding<Meters>.Type = Coding.of(Meters.self)
        let _: NativeCoding<Meters?>.Type = Coding.of(Meters?.self)
        check(Coding.of(Meters?.self), .text, isOptional: true)
    }

    /// An argument of the metatype alone must choose as one with a context does.
    private func check<C: ColumnCoding>(
        _ coding: C.Type, _ storage: StorageClass, isOptional: Bool = false
    ) {
        #expect(coding.storage == storage)
        #expect(coding.isOptional == isOptional)
    }
}
