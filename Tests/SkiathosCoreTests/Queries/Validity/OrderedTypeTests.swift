import Foundation
import Skiathos
import SkiathosTesting
import TestSupport
import Testing

/// The order of a column is that of its type, or is refused.
struct OrderedTypeTests {
    @Test(.seeded)
    func
        `columns of every ordered type are sorted, compared and searched for the smallest by value`()
        async throws
    {
        try await check(IntegerType<Int8>.self)
        try await check(IntegerType<Int>.self)
        try await check(IntegerType<UInt64>.self)
        try await check(RealType<Double>.self)
        try await check(RealType<Float>.self)
        try await check(DecimalType.self)
        try await check(DateType.self)
    }

    private func check<T: TestedType>(_ type: T.Type) async throws
    where T.Coding.Value: Comparable {
        try await withStore(.inMemory, entities: Cells<T>.self) { dal in
            let values = T.extremes
            var random = SeededNumbers(seed: Seed.current)
            let shuffled = values.shuffled(using: &random)
            let found = try await dal.write { context in
                for value in shuffled {
                    try Cells<T>.create(in: context) {
                        $0.first = value
                        $0.optional = value
                    }
                }
                try Cells<T>.create(in: context) { _ in }
                let rest = try values.map { value in
                    try Cells<T>.where { $0.optional > value }.count(in: context)
                }
                let same = try values.map { value in
                    try Cells<T>.where { $0.optional == value || $0.optional.in([value]) }
                        .count(in: context)
                }
                return (
                    try Cells<T>.order { $0.first.ascending }.all(in: context).map(\.first),
                    try Cells<T>.min(of: { $0.optional }, in: context),
                    try Cells<T>.max(of: { $0.optional }, in: context), rest, same
                )
            }
            #expect(zip(found.0, found.0.dropFirst()).allSatisfy { $0 <= $1 }, "\(T.name)")
            #expect(found.1 == values.min(), "\(T.name)")
            #expect(found.2 == values.max(), "\(T.name)")
            #expect(found.3 == values.map { value in values.count { $0 > value } }, "\(T.name)")
            #expect(found.4 == values.map { value in values.count { $0 == value } }, "\(T.name)")
        }
    }

    @Test func `a query that goes by the order of a column of JSON is refused`() async throws {
        typealias Row = Cells<JSONType>
        let note = JSONType.Note(title: "a", lines: [1])
        let conditions: [@Sendable (Row.Columns) -> Condition<Row>] = [
            { $0.first < note }, { $0.first <= note }, { $0.first > note }, { $0.first >= note },
            { $0.first < $0.second }, { $0.optional > note }, { $0.first.in(note...note) },
            { $0.optional.in(note..<note) }, { $0.parent.first > note },
            { !($0.children.exists { $0.first < note }) },
            { $0.children.max { $0.first } == note }, { $0.children.min { $0.optional } == nil },
            { Condition(#Predicate<Row> { $0.first < note }, of: $0) },
        ]
        let queries: [Query<Row>] =
            [
                Row.order { $0.first.ascending }, Row.order { $0.first.descending },
                Row.order { $0.optional.ascending }, Row.order { $0.parent.first.descending },
                Row.sorted(by: SortDescriptor(\.first)),
            ] + conditions.map { Row.where($0) }
        try await withStore(.inMemory, entities: Row.self) { dal in
            _ = try await dal.write { context in
                try Row.create(in: context) { $0.first = note }
                for (number, query) in queries.enumerated() {
                    let code = Self.code { _ = try query.all(in: context) }
                    #expect(["invalidRequest", "unsupportedPredicate"].contains(code), "\(number)")
                }
                for code in [
                    Self.code { _ = try Row.min(of: { $0.first }, in: context) },
                    Self.code { _ = try Row.max(of: { $0.optional }, in: context) },
                    Self.code {
                        _ = try Row.grouped { $0.second }.select { $0.first.max }.all(in: context)
                    },
                ] { #expect(code == "invalidRequest") }
                // Equality needs no order.
                #expect(try Row.count(where: { $0.first == note }, in: context) == 1)
                #expect(
                    try Row.grouped { $0.first }.select { $0.id.count }.all(in: context).count == 1)
            }
        }
    }

    private static func code(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "none"
        } catch let error as DataAccessError {
            return error.code.rawValue
        } catch let error as StoreError {
            return error.code.rawValue
        } catch {
            return "\(error)"
        }
    }
}

extension Condition {
    /// A predicate in the place of a condition of columns.
    fileprivate init(_ predicate: Predicate<E>, of columns: E.Columns) { self.init(predicate) }
}
