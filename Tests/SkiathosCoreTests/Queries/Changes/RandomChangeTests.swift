import Foundation
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// Set-based changes on columns of every type, at the limits of the type, do what plain Swift does:
/// either every row holds the value of the column's type, or none is changed.
struct RandomChangeTests {
    private static let seeds = Seed.each(1, 2)
    private static let changes = Rounds.of(60)

    @Test(arguments: seeds)
    func `computed integers are stored if the column can hold them, and else refused`(
        _ seed: UInt64
    ) async throws {
        try await check(seed, numbers: IntegerType<Int8>.self)
        try await check(seed, numbers: IntegerType<Int16>.self)
        try await check(seed, numbers: IntegerType<Int32>.self)
        try await check(seed, numbers: IntegerType<Int64>.self)
        try await check(seed, numbers: IntegerType<Int>.self)
        try await check(seed, numbers: IntegerType<UInt8>.self)
        try await check(seed, numbers: IntegerType<UInt16>.self)
        try await check(seed, numbers: IntegerType<UInt32>.self)
        try await check(seed, numbers: IntegerType<UInt64>.self)
        try await check(seed, numbers: IntegerType<UInt>.self)
    }

    @Test(arguments: seeds)
    func `computed floating point and decimal numbers are stored as their column keeps them`(
        _ seed: UInt64
    ) async throws {
        try await check(seed, numbers: RealType<Double>.self)
        try await check(seed, numbers: RealType<Float>.self)
        try await check(seed, numbers: DecimalType.self)
    }

    @Test(arguments: seeds)
    func `computed numbers of a user's own type are stored if the type reads them`(
        _ seed: UInt64
    ) async throws {
        try await check(seed, numbers: EvenType.self)
        try await check(seed, numbers: LevelType.self)
    }

    @Test(arguments: seeds)
    func `computed dates are stored if they can be, and texts always`(
        _ seed: UInt64
    ) async throws {
        try await check(seed, DateType.self) { $0.computed() }
        try await check(seed, TextType.self) { $0.computed() }
    }

    @Test(arguments: seeds)
    func `values of types that nothing is computed with are exchanged`(
        _ seed: UInt64
    ) async throws {
        try await check(seed, PlainType<Bool>.self) { $0.copy() }
        try await check(seed, PlainType<UUID>.self) { $0.copy() }
        try await check(seed, PlainType<Data>.self) { $0.copy() }
        try await check(seed, PlainType<URL>.self) { $0.copy() }
        try await check(seed, KindType.self) { $0.copy() }
        try await check(seed, JSONType.self) { $0.copy() }
    }

    private func check<T: TestedNumber>(_ seed: UInt64, numbers type: T.Type) async throws {
        try await check(seed, type) { $0.computed() }
    }

    private func check<T: TestedType>(
        _ seed: UInt64, _ type: T.Type,
        _ computed: @escaping @Sendable (inout ChangeGenerator<T>) -> SetChange<T>
    ) async throws {
        try await withSeed(seed) {
            try await withStore(.inMemory, entities: Cells<T>.self) { dal in
                let differences = try await dal.write { context in
                    try Self.differences(seed, computed, in: context)
                }
                #expect(differences.isEmpty, "\(T.name): \(differences.first ?? "")")
            }
        }
    }

    /// Carries out one change after the other, each on rows at the limits of the type.
    private static func differences<T: TestedType>(
        _ seed: UInt64, _ computed: (inout ChangeGenerator<T>) -> SetChange<T>,
        in context: WriteContext
    ) throws -> [String] {
        var generator = ChangeGenerator<T>(random: SeededNumbers(seed: seed))
        let objects = try (0..<6).map { number in
            try Cells<T>.create(in: context) {
                $0.parent = number % 2 == 0 ? nil : .init(rawValue: Int64(number))
            }
        }
        var differences: [String] = []
        for _ in 0..<changes where differences.count < 3 {
            for object in objects {
                var cells = object.value
                generator.fill(&cells)
                (object.first, object.second) = (cells.first, cells.second)
                object.optional = cells.optional
            }
            let change = generator.number(below: 4) == 0 ? generator.copy() : computed(&generator)
            let chosen = objects.filter { _ in generator.number(below: 3) > 0 }.map(\.id)
            let difference = try difference(change, objects.map(\.value), chosen, in: context)
            if let difference { differences.append("\(change.text)\n  \(difference)") }
        }
        return differences
    }

    /// What is wrong with the outcome of a change of the chosen rows, or `nil`.
    private static func difference<T: TestedType>(
        _ change: SetChange<T>, _ rows: [Cells<T>], _ chosen: [EntityID<Cells<T>>],
        in context: WriteContext
    ) throws -> String? {
        var expected = rows
        var isRefused = false
        for index in rows.indices where chosen.contains(rows[index].id) {
            do {
                try change.apply(&expected[index], ChangedRow(cells: rows[index], all: rows))
            } catch is Refused {
                isRefused = true
            }
        }
        if isRefused { expected = rows }
        let query = Cells<T>.where { $0.id.in(chosen) }
        do {
            let count = try query.update(set: { _ in [change.assignment] }, in: context)
            if isRefused { return "was not refused: \(rows)" }
            if count != chosen.count { return "changed \(count) of \(chosen.count) rows" }
        } catch let error as StoreError where error.code == .invalidValue {
            if !isRefused { return "was refused: \(rows)\n  \(error)" }
        } catch {
            return "failed otherwise: \(error)"
        }
        do {
            let found = try Cells<T>.order { $0.id.ascending }
                .select { ($0.first, $0.second, $0.optional) }.all(in: context)
            let isSame = zip(found, expected).allSatisfy {
                T.Coding.areIdentical($0.0, $1.first) && T.Coding.areIdentical($0.1, $1.second)
                    && OptionalCoding<T.Coding>.areIdentical($0.2, $1.optional)
            }
            guard isSame else { return "found \(found)\n  in place of \(expected)" }
            // Reading may round; a condition meets what is stored.
            let lost = try expected.filter { row in
                try !Cells<T>.exists(
                    where: {
                        $0.id == row.id && $0.first == row.first && $0.optional == row.optional
                    }, in: context)
            }
            return lost.isEmpty ? nil : "conditions do not find \(lost)"
        } catch {
            return "left what cannot be read: \(error)"
        }
    }
}
