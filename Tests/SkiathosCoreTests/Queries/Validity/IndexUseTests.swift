import Foundation
import Skiathos
import SkiathosTesting
import Testing

/// The index of a column serves what is asked of the column, whatever its type.
struct IndexUseTests {
    @Test func `comparisons, ranges and sorting use the index of a column of every type`()
        async throws
    {
        try await checkOrder(IntegerType<Int>.self)
        try await checkOrder(IntegerType<Int8>.self)
        try await checkOrder(IntegerType<UInt64>.self)
        try await checkOrder(RealType<Double>.self)
        try await checkOrder(RealType<Float>.self)
        try await checkOrder(DecimalType.self)
        try await checkOrder(DateType.self)
        try await checkOrder(TextType.self)
    }

    @Test func `equality, lists and sorting use the index of a column that has no order in Swift`()
        async throws
    {
        try await check(PlainType<Bool>.self)
        try await check(PlainType<UUID>.self)
        try await check(PlainType<Data>.self)
        try await check(PlainType<URL>.self)
        try await check(KindType.self)
        try await check(LevelType.self)
        try await check(EvenType.self)
    }

    private func check<T: TestedType>(_ type: T.Type) async throws {
        try await check(type) { _, _ in [] }
    }

    private func checkOrder<T: TestedType>(_ type: T.Type) async throws
    where T.Coding.Value: Comparable {
        try await check(type) { columns, values in
            let (low, high) = (min(values[0], values[1]), max(values[0], values[1]))
            return [
                ("first >", columns.first > low), ("first >=", columns.first >= low),
                ("first <", columns.first < low), ("first <=", columns.first <= low),
                ("first between", columns.first.in(low...high)),
                ("optional >", columns.optional > low),
                ("optional between", columns.optional.in(low..<high)),
            ]
        }
    }

    private func check<T: TestedType>(
        _ type: T.Type,
        _ more:
            @escaping @Sendable (Cells<T>.Columns, [T.Coding.Value]) -> [(
                String, Condition<Cells<T>>
            )]
    ) async throws {
        let problems = try await withStore(.inMemory, entities: Cells<T>.self) { dal in
            try await dal.read { try Self.problems(more, in: $0) }
        }
        #expect(problems == [], "\(T.name)")
    }

    private static func problems<T: TestedType>(
        _ more: (Cells<T>.Columns, [T.Coding.Value]) -> [(String, Condition<Cells<T>>)],
        in context: ReadContext
    ) throws -> [String] {
        let (columns, values) = (Cells<T>.columns, T.extremes)
        let many = (0..<600).map { values[$0 % values.count] }
        var problems: [String] = []
        let conditions =
            [
                ("first ==", columns.first == values[1]),
                ("optional ==", columns.optional == values[1]),
                ("optional == nil", columns.optional == nil),
                ("first in", columns.first.in([values[0], values[1]])),
                ("first in many", columns.first.in(many)),
            ] + more(columns, values)
        for (text, condition) in conditions {
            let plan = try Cells<T>.where { _ in condition }.explained(in: context)
            if !plan.fullScans.isEmpty || !plan.plan.contains(where: { $0.contains("USING INDEX") })
            {
                problems.append("\(text): \(plan)")
            }
        }
        let orders = [
            columns.first.ascending, columns.first.descending, columns.optional.ascending,
            columns.optional.descending,
        ]
        for (number, order) in orders.enumerated() {
            let plan = try Cells<T>.order { _ in order }.limit(10).explained(in: context)
            let hasIndex = plan.plan.contains { $0.contains("USING INDEX") }
            if !hasIndex || plan.plan.contains(where: { $0.contains("TEMP B-TREE FOR ORDER BY") }) {
                problems.append("order \(number): \(plan)")
            }
        }
        return problems
    }
}
